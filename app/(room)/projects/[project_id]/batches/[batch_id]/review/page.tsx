import type { Metadata } from 'next'
import { imageOf, slimFile } from '@/components/review/room-file'
import { RoomScreen } from '@/components/review/room-screen'
import { getBatch } from '@/lib/domain/batches/queries'
import { listFiles } from '@/lib/domain/files/queries'
import { can } from '@/lib/domain/kernel/permissions'
import { listResults } from '@/lib/domain/pre-qc/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { listComments } from '@/lib/domain/review/comments'
import { load, requireUser } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

type Props = {
  params: Promise<{ project_id: string; batch_id: string }>
  searchParams: Promise<{ file?: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: `Review ${batch.name}` }
}

const byName = new Intl.Collator('en', { numeric: true })

/** A screen of its own, over the whole window: no bars of the workspace beside what is validated. */
export default async function ReviewPage({ params, searchParams }: Props) {
  const path = await params
  const [user, { file: wanted }, project, batch, { files }, { comments }] = await Promise.all([
    requireUser(),
    searchParams,
    load(getProject, { project_id: path.project_id }),
    load(getBatch, path),
    load(listFiles, path, { versions: 'all' }),
    load(listComments, path),
  ])
  const current = files.filter((file) => file.is_current).sort((a, b) => byName.compare(a.name, b.name))
  const first =
    current.find(({ id }) => id === wanted) ??
    current.find(({ review }) => review.decision === 'pending') ??
    current[0] ??
    null
  const { results } = first ? await load(listResults, {}, { batchId: batch.id, fileId: first.id }) : { results: [] }
  const closed = isClosed(project.status)
  const image = first && first.media.kind !== 'archive' ? imageOf(first) : null
  return (
    <>
      {image && <link rel="preload" as="image" href={image} fetchPriority="high" />}
      <RoomScreen
        batch={batch}
        project={{ id: project.id, name: project.name }}
        files={files.map(slimFile)}
        comments={comments}
        result={results[0] ?? null}
        firstId={first?.id ?? null}
        me={{
          id: user.id,
          mayReview: can(user, 'files.review') && !closed && batch.status === 'in_review',
          mayComment: can(user, 'comments.write') && !closed && batch.status !== 'cancelled',
          mayModerate: can(user, 'comments.moderate') && !closed,
          mayRerun: can(user, 'pre_qc.rerun') && !closed,
          mayWaive: can(user, 'pre_qc.waive') && !closed,
          mayWaiveBlocking: can(user, 'pre_qc.waive_blocking'),
        }}
        whyNot={
          closed
            ? 'The project is closed: nothing is decided any more.'
            : batch.status !== 'in_review'
              ? `The batch is ${LABELS.batchStatus[batch.status].toLowerCase()}: files are decided while it is in review.`
              : can(user, 'files.review')
                ? null
                : 'You may view and read. Operators decide.'
        }
      />
    </>
  )
}
