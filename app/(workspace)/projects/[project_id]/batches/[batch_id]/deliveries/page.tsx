import { PackageCheck } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { ShareLinksPanel } from '@/components/batches/later-panels'
import { DeliverDialog } from '@/components/deliveries/deliver-dialog'
import { DeliveriesLive } from '@/components/deliveries/deliveries-live'
import { DeliveryCard } from '@/components/deliveries/delivery-card'
import { isUnderWay } from '@/components/deliveries/delivery-state'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { getBatch } from '@/lib/domain/batches/queries'
import { listDeliveries, listDeliveryChoices } from '@/lib/domain/deliveries/operations'
import { can } from '@/lib/domain/kernel/permissions'
import { getProject } from '@/lib/domain/projects/queries'
import { listShareLinks } from '@/lib/domain/share-links/staff'
import { entityTag } from '@/lib/http/etag'
import { load, requireUser } from '@/lib/http/load'

type Props = {
  params: Promise<{ project_id: string; batch_id: string }>
  searchParams: Promise<{ cursor?: string }>
}

const PAGE_SIZE = 20
const LINKS_SHOWN = 100

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: `Deliveries of ${batch.name}` }
}

export default async function BatchDeliveriesPage({ params, searchParams }: Props) {
  const [path, { cursor }] = await Promise.all([params, searchParams])
  const user = await requireUser()
  const mayManage = can(user, 'deliveries.manage')
  const [project, batch, { deliveries, next_cursor }, choices, links] = await Promise.all([
    load(getProject, { project_id: path.project_id }),
    load(getBatch, path),
    load(listDeliveries, path, { limit: String(PAGE_SIZE), ...(cursor && { cursor }) }),
    mayManage ? load(listDeliveryChoices, path) : null,
    mayManage ? load(listShareLinks, {}, { batch_id: path.batch_id, limit: String(LINKS_SHOWN) }) : null,
  ])
  const batchHref = `/projects/${project.id}/batches/${batch.id}`
  const targets = choices?.targets ?? []
  const deliver = targets.length > 0 && <DeliverDialog path={path} targets={targets} />
  return (
    <Page
      crumbs={[
        { label: 'Projects', href: '/projects' },
        { label: project.name, href: `/projects/${project.id}` },
        { label: batch.name, href: batchHref },
        { label: 'Deliveries' },
      ]}
    >
      <PageHeader
        title="Deliveries"
        description="Approved files on their way out: sent to where they are needed and verified there, or shared by a link."
        meta={[batch.name, `${batch.counts.approved} of ${batch.counts.files} files approved`]}
        back={{ href: batchHref, label: batch.name }}
        actions={deliveries.length > 0 && deliver}
      />
      <DeliveriesLive batchId={batch.id} isUnderWay={deliveries.some(isUnderWay)} />
      {deliveries.length === 0 ? (
        <EmptyState icon={<PackageCheck />} title="Nothing was delivered yet" action={deliver || undefined}>
          <NothingYet mayManage={mayManage} hasTargets={targets.length > 0} maySetUp={can(user, 'settings.manage')} />
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-4">
          {deliveries.map((delivery) => (
            <DeliveryCard key={delivery.id} delivery={delivery} mayManage={mayManage} />
          ))}
        </div>
      )}
      <PageLinks newerHref={cursor ? '?' : null} olderHref={next_cursor && `?cursor=${next_cursor}`} />
      {links && (links.share_links.length > 0 || batch.counts.approved > 0) && (
        <ShareLinksPanel
          path={path}
          links={links.share_links.map((link) => ({ link, etag: entityTag(link) }))}
          mayErase={can(user, 'users.manage')}
          mayShare={batch.status !== 'cancelled' && batch.counts.approved > 0}
        />
      )}
    </Page>
  )
}

function NothingYet({
  mayManage,
  hasTargets,
  maySetUp,
}: {
  mayManage: boolean
  hasTargets: boolean
  maySetUp: boolean
}) {
  if (!mayManage) return 'Coordinators deliver approved files from here.'
  if (hasTargets) return 'Choose a target; which files would go where is said before anything is sent.'
  return maySetUp ? (
    <>
      No target is set up yet.{' '}
      <Link href="/settings/delivery-targets" className="link">
        Add a delivery target
      </Link>
      .
    </>
  ) : (
    'No target is set up yet. Ask an administrator to add one under Settings, Delivery targets.'
  )
}
