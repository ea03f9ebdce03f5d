import { Route } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { BatchActions, type BatchPowers } from '@/components/batches/batch-actions'
import { BatchScreen } from '@/components/batches/batch-screen'
import { ContactSheetButton } from '@/components/batches/contact-sheet-button'
import {
  ActivityPanel,
  LinksPanel,
  ManifestPanel,
  ReviewLinksPanel,
  ShareLinksPanel,
  StagesPanel,
} from '@/components/batches/later-panels'
import { NextOfMine } from '@/components/batches/next-of-mine'
import { NextStepBar } from '@/components/batches/next-step'
import { Clocks, DueWords, TurnWords } from '@/components/batches/turn'
import { DeliveriesPanel } from '@/components/deliveries/deliveries-panel'
import { FileName } from '@/components/files/file-name'
import { Page } from '@/components/layout/page'
import { BatchStatusBadge, PreQcWords } from '@/components/projects/status'
import { reviewerOf } from '@/components/review/reviewer'
import { Person } from '@/components/ui/avatar'
import { Callout } from '@/components/ui/callout'
import { Card, CardFooter, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { AnchorButton, LinkButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { getManifestInShort } from '@/lib/domain/batches/manifest'
import { findNextWork } from '@/lib/domain/batches/my-work'
import { nextStepOf } from '@/lib/domain/batches/next-step'
import { getBatch } from '@/lib/domain/batches/queries'
import { LINK_UPLOADS, STAFF_UPLOADS } from '@/lib/domain/batches/rules'
import type { Batch } from '@/lib/domain/batches/schema'
import { listDeliveries } from '@/lib/domain/deliveries/operations'
import { expectFile } from '@/lib/domain/files/commands'
import { BrowseFiles, type FileFilters } from '@/lib/domain/files/schema'
import { can, isAtLeast } from '@/lib/domain/kernel/permissions'
import { FILES_EACH } from '@/lib/domain/pre-qc/contact-sheet'
import { browseFiles } from '@/lib/domain/pre-qc/file-summaries'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { listReviewLinks } from '@/lib/domain/review-links/staff'
import { listReviewStages } from '@/lib/domain/review-stages/stages'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { listShareLinks } from '@/lib/domain/share-links/staff'
import { listUploadLinks } from '@/lib/domain/upload-links/staff'
import { env } from '@/lib/env'
import { formatBytes } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, requireUser } from '@/lib/http/load'
import { BATCH_COLUMNS, BatchSkeleton } from './skeleton'

type Props = {
  params: Promise<{ project_id: string; batch_id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** More than a batch has in practice. */
const LINKS_SHOWN = 100
/** Of the newest deliveries; the others are on a page of their own. */
const DELIVERIES_SHOWN = 3

/** The filters of the address; what is none is left out. */
function filtersOf(search: Awaited<Props['searchParams']>): FileFilters {
  const names = ['q', 'verdict', 'decision', 'kind', 'check', 'sender', 'order', 'direction'] as const
  const read = names.flatMap((name) => {
    const value = search[name] ? BrowseFiles.shape[name].safeParse(search[name]).data : undefined
    return value ? [[name, value]] : []
  })
  return Object.fromEntries(read)
}

export async function generateMetadata({ params }: Pick<Props, 'params'>): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: batch.name }
}

export default function BatchPage(props: Props) {
  return (
    <Suspense fallback={<BatchSkeleton />}>
      <BatchContent {...props} />
    </Suspense>
  )
}

async function BatchContent({ params, searchParams }: Props) {
  const path = await params
  const filters = filtersOf(await searchParams)
  const user = await requireUser()
  const [project, batch, list, manifest] = await Promise.all([
    load(getProject, { project_id: path.project_id }),
    load(getBatch, path),
    load(browseFiles, path, filters),
    load(getManifestInShort, path),
  ])
  const closed = isClosed(project.status)
  const powers: BatchPowers = {
    maySubmit: can(user, 'batches.submit'),
    mayReview: can(user, 'files.review') && !closed,
    // What was approved can be certified for as long as it stands.
    mayCertify: can(user, 'files.review'),
    mayUpdate: can(user, 'batches.update'),
    mayCancel: can(user, 'batches.cancel'),
    mayDeliver: can(user, 'deliveries.manage'),
  }
  const mayErase = can(user, 'users.manage')
  const mayManageLinks = can(user, 'upload_links.manage')
  const mayUpload = can(user, 'files.upload') && !closed && STAFF_UPLOADS.includes(batch.status)
  const [stages, links, reviewLinks, shareLinks, naming, category, { deliveries }] = await Promise.all([
    load(listReviewStages, path),
    mayManageLinks ? load(listUploadLinks, {}, { batchId: batch.id, limit: String(LINKS_SHOWN) }) : null,
    mayManageLinks ? load(listReviewLinks, {}, { batch_id: batch.id, limit: String(LINKS_SHOWN) }) : null,
    powers.mayDeliver ? load(listShareLinks, {}, { batch_id: batch.id, limit: String(LINKS_SHOWN) }) : null,
    mayUpload ? load(expectFile, path) : null,
    load(getMediaCategory, { media_category_id: batch.media_category.id }),
    load(listDeliveries, path, { limit: String(DELIVERIES_SHOWN) }),
  ])
  const [newest] = deliveries
  const edited = { batch, etag: entityTag(batch) }
  const link = links?.upload_links.find(({ status }) => status === 'active') ?? null
  const missing = {
    count: manifest.counts.missing,
    names: manifest.lines.filter(({ status }) => status === 'missing').map(({ name }) => name),
  }
  const step = nextStepOf({
    status: batch.status,
    projectStatus: project.status,
    hasOperator: batch.operator !== null,
    // An actor without the right to see links sees by the turn whether there is one.
    hasLink: links ? link !== null : batch.turn.holder === 'agency',
    ...batch.counts,
    expected: manifest.counts.expected,
    missing: missing.count,
  })

  return (
    <Page
      crumbs={[
        { label: 'Projects', href: '/projects' },
        { label: project.name, href: `/projects/${project.id}` },
        { label: batch.name },
      ]}
      width="full"
    >
      <PageHeader
        title={batch.name}
        badge={<BatchStatusBadge status={batch.status} />}
        meta={[
          project.agency.name,
          batch.media_category.name,
          batch.round > 0 && `Round ${batch.round}`,
          `${batch.counts.files} ${batch.counts.files === 1 ? 'file' : 'files'}, ${formatBytes(batch.counts.total_size)}`,
        ]}
        back={{ href: `/projects/${project.id}`, label: project.name }}
        actions={
          <>
            <LinkButton href={`/projects/${project.id}/batches/${batch.id}/destinations`}>
              <Route />
              Destinations
            </LinkButton>
            <BatchActions
              {...edited}
              powers={powers}
              step={step}
              missing={missing}
              projectState={closed ? 'closed' : project.status === 'on_hold' ? 'on_hold' : 'open'}
            />
          </>
        }
      />
      {project.status === 'on_hold' && (
        <Callout tone="warn">The project is on hold: uploads by link and submitting are paused.</Callout>
      )}
      {step && (
        <NextStepBar
          {...edited}
          step={step}
          projectName={project.name}
          powers={powers}
          mayManageLinks={mayManageLinks}
          expected={manifest.counts.expected}
          missing={missing}
          link={link ? { url: link.url, isUsed: link.use_count > 0 } : null}
          delivered={
            newest?.status === 'delivered' &&
            newest.round === batch.round &&
            newest.counts.files === batch.counts.approved
              ? newest.target.name
              : null
          }
        />
      )}
      <Suspense>
        <Next batchId={batch.id} />
      </Suspense>
      <div className={BATCH_COLUMNS}>
        <BatchScreen
          isDirect={env.UPLOADS === 'direct'}
          batch={batch}
          first={{ filters, list }}
          powers={{
            projectId: project.id,
            batchId: batch.id,
            mayMove: can(user, 'files.move') && !closed && batch.status === 'open',
            ...reviewerOf(user, project, batch, category.profile_version),
          }}
          naming={naming}
        />
        {/* A boundary of its own: browsers take over the files first, then what stands beside them. */}
        <Suspense>
          <aside className="flex flex-col gap-6">
            <Summary batch={batch} template={batch.naming_template ?? naming?.template ?? null} />
            {links && (
              <LinksPanel
                batchId={batch.id}
                links={links.upload_links.map((link) => ({ link, etag: entityTag(link) }))}
                isClosed={closed}
                isCancelled={batch.status === 'cancelled'}
                pausedBecause={whyLinksPause(batch.status, project.status)}
              />
            )}
            {(stages.stages.length > 0 || powers.mayUpdate) && (
              <StagesPanel
                path={path}
                stages={stages.stages}
                people={project.members.filter(({ role }) => isAtLeast(role, 'operator'))}
                mayManage={powers.mayUpdate && !closed && batch.status !== 'approved' && batch.status !== 'cancelled'}
              />
            )}
            {reviewLinks && (
              <ReviewLinksPanel
                batchId={batch.id}
                links={reviewLinks.review_links.map((link) => ({ link, etag: entityTag(link) }))}
                stages={stages.stages.filter(({ state }) => state !== 'withdrawn' && state !== 'skipped')}
                isClosed={closed}
                mayErase={mayErase}
              />
            )}
            {(deliveries.length > 0 || (powers.mayDeliver && batch.counts.approved > 0)) && (
              <DeliveriesPanel path={path} deliveries={deliveries} />
            )}
            {shareLinks && (shareLinks.share_links.length > 0 || batch.counts.approved > 0) && (
              <ShareLinksPanel
                path={path}
                links={shareLinks.share_links.map((link) => ({ link, etag: entityTag(link) }))}
                mayShare={mayShare(batch)}
                mayErase={mayErase}
              />
            )}
            <ManifestPanel batch={batch} manifest={manifest} mayUpdate={powers.mayUpdate && !closed} />
            <Section title="Activity">
              <ActivityPanel projectId={project.id} batchId={batch.id} />
            </Section>
          </aside>
        </Suspense>
      </div>
    </Page>
  )
}

async function Next({ batchId }: { batchId: string }) {
  const { batch } = await load(findNextWork, {}, { after: batchId })
  return batch && <NextOfMine next={batch} />
}

const mayShare = ({ status, counts }: Batch) => status !== 'cancelled' && counts.approved > 0

/** Why links take nothing now though they are active; null when they do. */
function whyLinksPause(batch: Batch['status'], project: string): string | null {
  if (project !== 'active') return project === 'on_hold' ? 'The project is on hold' : 'The project is closed'
  if (LINK_UPLOADS.includes(batch)) return null
  return batch === 'approved' ? 'The batch is approved' : 'The batch is in review'
}

function Summary({ batch, template }: { batch: Batch; template: string | null }) {
  const unassigned = <span className="text-ink-subtle">No one yet</span>
  return (
    <Card>
      <CardHeader title="In short" />
      <DescriptionList
        className="px-5 pb-5"
        items={[
          { label: 'Pre-QC', value: <PreQcWords preQc={batch.pre_qc} /> },
          {
            label: 'Review',
            value: `${batch.counts.approved} approved, ${batch.counts.rejected} rejected, ${batch.counts.pending} to decide`,
          },
          {
            label: 'Turn',
            value: batch.turn.holder ? (
              <TurnWords turn={batch.turn} due={null} />
            ) : (
              <span className="text-ink-subtle">No one’s</span>
            ),
          },
          { label: 'Clocks', value: <Clocks turn={batch.turn} /> },
          {
            label: 'Due',
            value: batch.due ? <DueWords due={batch.due} /> : <span className="text-ink-subtle">No date</span>,
          },
          { label: 'Operator', value: batch.operator ? <Person name={batch.operator.name} /> : unassigned },
          { label: 'Coordinator', value: batch.coordinator ? <Person name={batch.coordinator.name} /> : unassigned },
          {
            label: 'Submitted',
            value: batch.submitted_at ? (
              <RelativeTime value={batch.submitted_at} />
            ) : (
              <span className="text-ink-subtle">Not yet</span>
            ),
          },
          {
            label: 'Names',
            value: template ? (
              <code className="font-mono text-xs wrap-anywhere">
                <FileName name={template} />
              </code>
            ) : (
              'Any portable name'
            ),
          },
          {
            label: 'Required copy',
            value:
              batch.required_copy.length > 0 ? (
                <ul className="flex flex-col gap-1">
                  {batch.required_copy.map((phrase) => (
                    <li key={phrase} className="wrap-anywhere">
                      “{phrase}”
                    </li>
                  ))}
                </ul>
              ) : (
                <span className="text-ink-subtle">None</span>
              ),
          },
        ]}
      />
      <CardFooter className="rounded-none print:hidden">
        Contact sheet
        <ContactSheetButton
          href={`/api/projects/${batch.project_id}/batches/${batch.id}/contact-sheet`}
          parts={Math.max(1, Math.ceil(batch.counts.files / FILES_EACH))}
        />
      </CardFooter>
      <CardFooter className="print:hidden">
        Pre-QC report
        <span className="flex gap-1.5">
          {['pdf', 'json'].map((format) => (
            <AnchorButton
              key={format}
              href={`/api/projects/${batch.project_id}/batches/${batch.id}/report?format=${format}`}
              download
              size="sm"
            >
              {format.toUpperCase()}
            </AnchorButton>
          ))}
        </span>
      </CardFooter>
    </Card>
  )
}
