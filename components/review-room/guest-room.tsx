'use client'

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { FileSearch } from 'lucide-react'
import { isBeingMade } from '@/components/files/use-playback'
import { PublicTitle } from '@/components/layout/public-frame'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { DateTime } from '@/components/ui/relative-time'
import { type ApiProblem, api } from '@/lib/client/api'
import type { ReviewRoom, RoomFile } from '@/lib/domain/review-links/schema'
import { formatCount } from '@/lib/format'
import { GuestFile } from './guest-file'
import { roomKey, useRoomLive } from './use-room-live'

const ASK_MS = 3_000

type FilePage = { files: RoomFile[]; next_cursor: string | null }

/** All that a review link shows: the files one below the other, so that a thumb is enough. */
export function GuestRoom({
  token,
  room,
  first,
  readFrom,
}: {
  token: string
  room: ReviewRoom
  first: FilePage
  /** What the database held when the page was read. */
  readFrom: string
}) {
  useRoomLive(token, readFrom)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery<
    FilePage,
    ApiProblem,
    InfiniteData<FilePage, string | null>,
    string[],
    string | null
  >({
    queryKey: roomKey(token),
    queryFn: ({ pageParam }) =>
      api('GET /api/public/review-links/{token}/files', {
        params: { token },
        query: { ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: null,
    initialData: { pages: [first], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    retry: false,
    // What there is of a copy is played while it is made.
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.files.some(({ playback }) => isBeingMade(playback))) ? ASK_MS : false,
  })
  const files = data.pages.flatMap((page) => page.files)
  return (
    <>
      <PublicTitle eyebrow={`${room.contact.name} asks for your review`} title={room.batch.name}>
        {room.note && <span className="whitespace-pre-wrap">{room.note}</span>}
      </PublicTitle>
      <Progress room={room} />
      {error && (
        <ErrorState title="The files could not be loaded anew" requestId={error.requestId} onRetry={() => refetch()}>
          {error.detail}
        </ErrorState>
      )}
      {files.length === 0 ? (
        <EmptyState icon={<FileSearch />} title="No files yet">
          They appear here as soon as they have arrived; this page shows them by itself.
        </EmptyState>
      ) : (
        <ol className="flex flex-col gap-6">
          {files.map((file) => (
            <li key={file.id}>
              <GuestFile token={token} room={room} file={file} />
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div className="mt-6 flex justify-center">
          <Button onClick={() => fetchNextPage()} loading={isFetchingNextPage}>
            Show more files
          </Button>
        </div>
      )}
    </>
  )
}

function Progress({ room: { counts, may_decide, batch, expires_at, stage } }: { room: ReviewRoom }) {
  const decided = counts.approved + counts.rejected
  return (
    <div className="mb-6 flex flex-col gap-3">
      <p className="text-sm text-ink-muted tabular-nums">
        {decided} of {formatCount(counts.files, 'file')} decided
        {decided > 0 && `: ${counts.approved} approved, ${counts.rejected} rejected`}
        {stage?.due_at && (
          <>
            {' '}
            · due <DateTime value={stage.due_at} />
          </>
        )}
        {expires_at && (
          <>
            {' '}
            · open until <DateTime value={expires_at} />
          </>
        )}
      </p>
      {!may_decide && (
        <Callout
          tone={batch.status === 'approved' ? 'pass' : 'neutral'}
          title={batch.status === 'approved' ? 'Everything is approved' : 'Nothing is to be decided now'}
        >
          {batch.status === 'approved'
            ? 'The review is complete. Thank you.'
            : stage?.state === 'waiting'
              ? `Your stage, “${stage.name}”, follows when those before it have decided. You can view the files and comment meanwhile.`
              : 'The files are not in review at this moment. You can view them and comment; decisions are possible once they are.'}
        </Callout>
      )}
    </div>
  )
}
