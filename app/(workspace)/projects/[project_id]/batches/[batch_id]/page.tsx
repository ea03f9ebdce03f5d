import type { Metadata } from 'next'
import { BatchActions, type BatchPowers } from '@/components/batches/batch-actions'
import { BatchScreen } from '@/components/batches/batch-screen'
import { ManifestPanel } from '@/components/batches/manifest-panel'
import { Clocks, DueWords, TurnWords } from '@/components/batches/turn'
import { FileName } from '@/components/files/file-name'
import { Page } from '@/components/layout/page'
import { BatchStatusBadge, PreQcWords } from '@/components/projects/status'
import { Person } from '@/components/ui/avatar'
import { Callout } from '@/components/ui/callout'
import { Card, CardFooter, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { AnchorButton } from '@/components/ui/link-button'
import { PageHeader, Section } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import { LinksPanel } from '@/components/upload-links/links-panel'
import { getBatch, getManifest } from '@/lib/domain/batches/queries'
import { LINK_UPLOADS, STAFF_UPLOADS } from '@/lib/domain/batches/rules'
import type { Batch } from '@/lib/domain/batches/schema'
import { listUsers } from '@/lib/domain/directory/queries'
import { expectFile } from '@/lib/domain/files/commands'
import { listFiles } from '@/lib/domain/files/queries'
import { can, isAtLeast } from '@/lib/domain/kernel/permissions'
import { listResults } from '@/lib/domain/pre-qc/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { listUploadLinks } from '@/lib/domain/upload-links/staff'
import { env } from '@/lib/env'
import { formatBytes } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, requireUser } from '@/lib/http/load'

type Props = { params: Promise<{ project_id: string; batch_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: batch.name }
}

export default async function BatchPage({ params }: Props) {
  const path = await params
  const user = await requireUser()
  const [project, batch, { files }, { results }, manifest] = await Promise.all([
    load(getProject, { project_id: path.project_id }),
    load(getBatch, path),
    load(listFiles, path),
    load(listResults, {}, { batchId: path.batch_id }),
    load(getManifest, path),
  ])
  const closed = isClosed(project.status)
  const powers: BatchPowers = {
    maySubmit: can(user, 'batches.submit'),
    mayReview: can(user, 'files.review') && !closed,
    // What was approved can be certified for as long as it stands.
    mayCertify: can(user, 'files.review'),
    mayUpdate: can(user, 'batches.update'),
    mayCancel: can(user, 'batches.cancel'),
  }
  const mayManageLinks = can(user, 'upload_links.manage')
  const mayUpload = can(user, 'files.upload') && !closed && STAFF_UPLOADS.includes(batch.status)
  const [links, people, expected, category] = await Promise.all([
    mayManageLinks ? load(listUploadLinks, {}, { batchId: batch.id }) : null,
    powers.mayUpdate ? load(listUsers) : null,
    mayUpload ? load(expectFile, path) : null,
    load(getMediaCategory, { media_category_id: batch.media_category.id }),
  ])
  const active = people?.users.filter((person) => !person.disabled_at) ?? []

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
          <BatchActions
            batch={batch}
            etag={entityTag(batch)}
            powers={powers}
            missing={manifest.files.filter(({ status }) => status === 'missing').map(({ name }) => name)}
            projectState={closed ? 'closed' : project.status === 'on_hold' ? 'on_hold' : 'open'}
            operators={active.filter((person) => isAtLeast(person.role, 'operator'))}
            coordinators={active.filter((person) => isAtLeast(person.role, 'coordinator'))}
          />
        }
      />
      {project.status === 'on_hold' && (
        <Callout tone="warn">The project is on hold: uploads by link and submitting are paused.</Callout>
      )}
      {batch.status === 'awaiting_resupply' && batch.turn.holder === 'service' && batch.counts.rejected === 0 && (
        <Callout tone="pass" title="All new versions have arrived">
          Submit the batch again to begin round {batch.round + 1}.
        </Callout>
      )}
      {batch.status === 'awaiting_resupply' && batch.counts.pending > 0 && batch.counts.rejected > 0 && (
        <Callout tone="neutral">
          {batch.counts.pending === 1 ? '1 new file waits' : `${batch.counts.pending} new files wait`} for round{' '}
          {batch.round + 1};{' '}
          {batch.counts.rejected === 1 ? '1 rejected file has' : `${batch.counts.rejected} rejected files have`} no new
          version yet.
        </Callout>
      )}
      {batch.status === 'approved' && powers.maySubmit && !closed && (
        <Callout tone="neutral">
          Approved: no files are added any more. Submit the batch again to begin a new round.
        </Callout>
      )}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <BatchScreen
          isDirect={env.UPLOADS === 'direct'}
          batch={batch}
          files={files}
          results={results}
          powers={{
            projectId: project.id,
            batchId: batch.id,
            mayReview: powers.mayReview && batch.status === 'in_review',
            mayDelete: can(user, 'files.delete') && !closed && batch.status === 'open',
            mayRerun: can(user, 'pre_qc.rerun') && !closed,
            mayWaive: can(user, 'pre_qc.waive') && !closed,
            mayWaiveBlocking: can(user, 'pre_qc.waive_blocking'),
            settingsVersion: category.profile_version,
          }}
          expectations={expected && { ...expected, manifest: [...expected.manifest] }}
        />
        <aside className="flex flex-col gap-6">
          <Summary batch={batch} template={batch.naming_template ?? expected?.template ?? null} />
          {links && (
            <Section title="Upload links">
              <LinksPanel
                batchId={batch.id}
                links={links.upload_links.map((link) => ({ link, etag: entityTag(link) }))}
                isClosed={closed}
                isCancelled={batch.status === 'cancelled'}
                pausedBecause={whyLinksPause(batch.status, project.status)}
              />
            </Section>
          )}
          <Section title="Manifest">
            <ManifestPanel
              batch={batch}
              manifest={manifest}
              etag={entityTag(manifest)}
              mayUpdate={powers.mayUpdate && !closed}
            />
          </Section>
        </aside>
      </div>
    </Page>
  )
}

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
      <CardFooter>
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
