import type { Metadata } from 'next'
import { Suspense } from 'react'
import { reviewerOf } from '@/components/review/reviewer'
import { imageOf, slimFile } from '@/components/review/room-file'
import { RoomScreen, RoomScreenCode } from '@/components/review/room-screen'
import { getBatch } from '@/lib/domain/batches/queries'
import { getFile, listFiles } from '@/lib/domain/files/queries'
import { isUuid } from '@/lib/domain/kernel/shapes'
import { browseFiles } from '@/lib/domain/pre-qc/file-summaries'
import { listResults } from '@/lib/domain/pre-qc/queries'
import { getProject } from '@/lib/domain/projects/queries'
import { listComments } from '@/lib/domain/review/read-comments'
import { getMediaCategory } from '@/lib/domain/settings/queries'
import { load, requireUser } from '@/lib/http/load'
import { ReviewSkeleton } from './skeleton'

type Props = {
  params: Promise<{ project_id: string; batch_id: string }>
  searchParams: Promise<{ file?: string }>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const batch = await load(getBatch, await params)
  return { title: `Review ${batch.name}` }
}

/** The part of the list that holds the file that is asked for, or else the first one to decide, or else the first. */
async function findOpened(path: Awaited<Props['params']>, wanted: string | undefined) {
  const byName = { order: 'name', comments: 'open' } as const
  const partAt = (at: string) => load(browseFiles, path, { ...byName, at })
  const list = wanted && isUuid(wanted) ? await partAt(wanted) : null
  if (list?.files.some(({ id }) => id === wanted)) return { list, id: wanted ?? null }
  // A version that was replaced: what was said of it stands beside the newest.
  const [newest] = wanted && isUuid(wanted) ? (await load(listFiles, path, { file_id: wanted })).files : []
  if (newest) return { list: await partAt(newest.id), id: newest.id }
  const { files } = await load(browseFiles, path, { order: 'name', decision: 'pending', limit: '1' })
  const pending = files[0]?.id
  const found = pending ? await partAt(pending) : (list ?? (await load(browseFiles, path, byName)))
  return { list: found, id: pending ?? found.files[0]?.id ?? null }
}

async function openFile(path: Awaited<Props['params']>, id: string) {
  const versions = { versions: 'all', file_id: id } as const
  const [file, { files }, { comments }, { results }] = await Promise.all([
    load(getFile, { ...path, file_id: id }),
    load(listFiles, path, versions),
    load(listComments, path, versions),
    load(listResults, {}, { batchId: path.batch_id, fileId: id }),
  ])
  return { file: slimFile(file), versions: files.map(slimFile), comments, result: results[0] ?? null }
}

/** A screen of its own, over the whole window: no bars of the workspace beside what is validated. */
export default function ReviewPage(props: Props) {
  return (
    <>
      <RoomScreenCode />
      <Suspense fallback={<ReviewSkeleton />}>
        <ReviewContent {...props} />
      </Suspense>
    </>
  )
}

async function ReviewContent({ params, searchParams }: Props) {
  const path = await params
  const batchLoading = load(getBatch, path)
  const [user, project, batch, category, { list, id }] = await Promise.all([
    requireUser(),
    load(getProject, { project_id: path.project_id }),
    batchLoading,
    batchLoading.then(({ media_category: { id } }) => load(getMediaCategory, { media_category_id: id })),
    findOpened(path, (await searchParams).file),
  ])
  const opened = id ? await openFile(path, id) : null
  const first = opened?.file
  const image = first && first.media.kind !== 'archive' ? imageOf(first) : null
  return (
    <>
      {image && <link rel="preload" as="image" href={image} fetchPriority="high" />}
      <RoomScreen
        batch={batch}
        project={{ id: project.id, name: project.name }}
        list={list}
        opened={opened}
        me={reviewerOf(user, project, batch, category.profile_version)}
      />
    </>
  )
}
