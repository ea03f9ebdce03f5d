import { FileUp, Route } from 'lucide-react'
import type { Metadata } from 'next'
import { ChooseDestinations } from '@/components/destinations/choose-destinations'
import { DestinationMatrix } from '@/components/destinations/destination-matrix'
import { Page } from '@/components/layout/page'
import { Callout } from '@/components/ui/callout'
import { EmptyState } from '@/components/ui/empty-state'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { getBatch } from '@/lib/domain/batches/queries'
import { listDestinations } from '@/lib/domain/destinations/queries'
import { can } from '@/lib/domain/kernel/permissions'
import { browseDestinations } from '@/lib/domain/pre-qc/destinations'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { formatCount } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, requireUser } from '@/lib/http/load'

type Props = {
  params: Promise<{ project_id: string; batch_id: string }>
  searchParams: Promise<{ from?: string }>
}

const PAGE_SIZE = 25

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: `Destinations of ${batch.name}` }
}

export default async function BatchDestinationsPage({ params, searchParams }: Props) {
  const [path, { from }] = await Promise.all([params, searchParams])
  const offset = /^\d{1,6}$/.test(from ?? '') ? Number(from) : 0
  const user = await requireUser()
  const [project, batch, matrix] = await Promise.all([
    load(getProject, { project_id: path.project_id }),
    load(getBatch, path),
    load(browseDestinations, path, { offset: String(offset), limit: String(PAGE_SIZE) }),
  ])
  const mayChoose = can(user, 'batches.update') && !isClosed(project.status)
  const [choices, category] = await Promise.all([
    mayChoose ? load(listDestinations) : null,
    load(getMediaCategory, { media_category_id: batch.media_category.id }),
  ])
  const batchHref = `/projects/${project.id}/batches/${batch.id}`
  const choose = choices && (
    <ChooseDestinations
      batch={batch}
      etag={entityTag(batch)}
      destinations={choices.destinations}
      ofCategory={category.destinations.length}
    />
  )
  return (
    <Page
      crumbs={[
        { label: 'Projects', href: '/projects' },
        { label: project.name, href: `/projects/${project.id}` },
        { label: batch.name, href: batchHref },
        { label: 'Destinations' },
      ]}
      width="full"
    >
      <PageHeader
        title="Destinations"
        description="Where each file may go, by what was measured when it was checked."
        meta={[
          batch.name,
          formatCount(matrix.destinations.length, 'destination'),
          formatCount(matrix.total, 'file'),
          batch.destinations === null ? `as ${batch.media_category.name} names them` : 'chosen for this batch',
        ]}
        back={{ href: batchHref, label: batch.name }}
        actions={matrix.destinations.length > 0 && choose}
      />
      {matrix.destinations.length === 0 ? (
        <EmptyState icon={<Route />} title="No destinations yet" action={choose}>
          Choose where these files are to go, and see which fit, which do not, and by which clause.
        </EmptyState>
      ) : matrix.total === 0 ? (
        <EmptyState icon={<FileUp />} title="No files yet">
          They are evaluated once they were checked, when the batch is submitted.
        </EmptyState>
      ) : (
        <>
          {matrix.files.every(({ is_measured }) => !is_measured) && (
            <Callout tone="neutral">
              None of these files was measured yet. Files are measured when the batch is submitted and its checks run.
            </Callout>
          )}
          <DestinationMatrix
            matrix={matrix}
            batch={path}
            mayRepair={can(user, 'repairs.propose') && !isClosed(project.status)}
          />
        </>
      )}
      <PageLinks
        newerHref={offset > 0 ? `?from=${Math.max(0, offset - PAGE_SIZE)}` : null}
        olderHref={offset + PAGE_SIZE < matrix.total ? `?from=${offset + PAGE_SIZE}` : null}
      />
    </Page>
  )
}
