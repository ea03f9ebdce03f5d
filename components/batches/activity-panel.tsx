'use client'

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import {
  Ban,
  Link2,
  Mail,
  MessageSquare,
  PackageCheck,
  ScanSearch,
  SquareCheckBig,
  Upload,
  Workflow,
} from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { RelativeTime } from '@/components/ui/relative-time'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { api } from '@/lib/client/api'
import { useLive } from '@/lib/client/use-live'
import type { Activity } from '@/lib/domain/batches/schema'
import { ACTIVITY_KINDS, type ActivityKind, LABELS } from '@/lib/vocabulary'
import { linesOf } from './activity-words'

const ICONS: Record<ActivityKind, ReactNode> = {
  upload: <Upload />,
  refusal: <Ban />,
  check: <ScanSearch />,
  decision: <SquareCheckBig />,
  comment: <MessageSquare />,
  link: <Link2 />,
  mail: <Mail />,
  delivery: <PackageCheck />,
  batch: <Workflow />,
}

const PART = 30
const EVERYTHING = 'all'

/** What happened to a batch, newest first, live; older parts on demand. */
export function ActivityPanel({ projectId, batchId }: { projectId: string; batchId: string }) {
  const [kind, setKind] = useState<ActivityKind | null>(null)
  const queryClient = useQueryClient()
  const key = ['activity', batchId]
  const { data, isPending, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...key, kind],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/activity', {
        params: { project_id: projectId, batch_id: batchId },
        query: { limit: PART, ...(kind && { kind }), ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
  useLive(
    { batchId, refreshes: false, ignoresProgress: true },
    () => void queryClient.invalidateQueries({ queryKey: key }),
  )
  const lines = linesOf(data?.pages.flatMap(({ activities }) => activities) ?? [])
  return (
    <div className="flex flex-col gap-3">
      <Select
        aria-label="Which activity"
        className="print:hidden"
        size="sm"
        value={kind ?? EVERYTHING}
        onValueChange={(next) => setKind(next === EVERYTHING ? null : (next as ActivityKind))}
        options={[
          { value: EVERYTHING, label: 'Everything' },
          ...ACTIVITY_KINDS.map((value) => ({ value, label: LABELS.activityKind[value] })),
        ]}
      />
      {isPending ? (
        <div className="flex flex-col gap-3" aria-hidden="true">
          {['a', 'b', 'c', 'd'].map((row) => (
            <Skeleton key={row} className="h-8 w-full" />
          ))}
        </div>
      ) : isError ? (
        <Callout tone="fail">
          The activity could not be loaded.{' '}
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        </Callout>
      ) : lines.length === 0 ? (
        <p className="text-sm text-ink-muted">Nothing of this kind has happened yet.</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {lines.map(({ first, count, sentence }) => (
            <li key={first.id} className="flex gap-2.5 text-sm">
              <span aria-hidden="true" className="mt-0.5 text-ink-subtle [&_svg]:size-4">
                {ICONS[first.kind]}
              </span>
              <div className="min-w-0 flex-1">
                <p className="wrap-anywhere">
                  <Sentence activity={first} isOne={count === 1} projectId={projectId} batchId={batchId}>
                    {sentence}
                  </Sentence>
                </p>
                {count === 1 && first.note && <p className="line-clamp-3 text-ink-muted wrap-anywhere">{first.note}</p>}
                <p className="text-xs text-ink-subtle">
                  <RelativeTime value={first.created_at} />
                </p>
              </div>
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button variant="ghost" size="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Older
        </Button>
      )}
    </div>
  )
}

/** Leads to the file it is about, while that is one. */
function Sentence({
  activity: { file, type, details },
  isOne,
  projectId,
  batchId,
  children,
}: {
  activity: Activity
  isOne: boolean
  projectId: string
  batchId: string
  children: string
}) {
  if (!isOne || !file?.id || type === 'file.deleted' || (type === 'file.moved' && details.to)) return children
  return (
    <Link className="link" prefetch={false} href={`/projects/${projectId}/batches/${batchId}/review?file=${file.id}`}>
      {children}
    </Link>
  )
}
