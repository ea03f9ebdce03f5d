'use client'

import { useQuery } from '@tanstack/react-query'
import { CheckCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Spinner } from '@/components/ui/spinner'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { PassingApproval } from '@/lib/domain/review/schema'
import { formatCount } from '@/lib/format'
import type { WholeRoom } from './use-room'

/** Approves at once what passes every check without a waiver, after showing what that is; says what became of each. */
export function PassingDialog({ room }: { room: WholeRoom }) {
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<PassingApproval | null>(null)
  const params = room.batch
  const preview = useQuery({
    queryKey: ['passing', params],
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/review/passing', { params }),
    enabled: isOpen && !done,
    staleTime: 0,
    gcTime: 0,
  })
  const approve = useApiMutation({
    request: (file_ids: string[]) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/review/passing', { params, body: { file_ids } }),
    refresh: false,
    onSuccess: async (result) => {
      setDone(result)
      await room.refetch()
    },
  })
  const undo = useApiMutation({
    request: (file_ids: string[]) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/review/undo', { params, body: { file_ids } }),
    success: 'Taken back: these files are to be decided again',
    refresh: false,
    onSuccess: async () => {
      setOpen(false)
      await room.refetch()
    },
  })
  const passing = preview.data?.passing ?? []
  const left = [...(done?.left ?? []), ...(preview.data?.left ?? [])]
  const counts = preview.data?.counts ?? { passing: 0, left: 0 }
  const leftCount = (done?.left.length ?? 0) + counts.left
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) setDone(null)
      }}
      title={done ? `${formatCount(done.approved.length, 'file')} approved` : 'Approve all that pass'}
      description={
        done
          ? undefined
          : 'Files that pass every check, without a warning or a waiver. Each is checked once more when you confirm.'
      }
      size="lg"
      trigger={
        <Button variant="secondary">
          <CheckCheck />
          <span className="max-lg:sr-only">Approve all that pass</span>
        </Button>
      }
    >
      <DialogBody>
        {preview.isFetching && !done ? (
          <p className="flex items-center gap-2 text-sm text-ink-muted">
            <Spinner /> Finding the files that pass
          </p>
        ) : preview.error && !done ? (
          <Callout tone="fail">{preview.error.message}</Callout>
        ) : (
          <>
            <Names
              title={
                done
                  ? 'Approved'
                  : counts.passing > passing.length
                    ? `${counts.passing} files pass, the first ${passing.length} will be approved`
                    : `${formatCount(passing.length, 'file')} will be approved`
              }
              lines={(done?.approved ?? passing).map(({ id, name }) => ({ id, name, why: null }))}
              none="No file without a decision passes all its checks by itself."
            />
            {left.length > 0 && (
              <Names
                title={`${formatCount(leftCount, 'file')} ${leftCount === 1 ? 'stays' : 'stay'} for review${leftCount > left.length ? `, among them the first ${left.length}` : ''}`}
                lines={left.map(({ file, reason }) => ({ ...file, why: reason }))}
              />
            )}
          </>
        )}
      </DialogBody>
      <DialogFooter>
        {done && done.approved.length > 0 && (
          <Button
            variant="ghost"
            className="mr-auto"
            loading={undo.isPending}
            onClick={() => undo.mutate(done.approved.map(({ id }) => id))}
          >
            <Undo2 />
            Undo
          </Button>
        )}
        <DialogClose>
          <Button variant={done ? 'primary' : 'ghost'}>{done ? 'Done' : 'Cancel'}</Button>
        </DialogClose>
        {!done && (
          <Button
            variant="primary"
            disabled={passing.length === 0}
            loading={approve.isPending}
            onClick={() => approve.mutate(passing.map(({ id }) => id))}
          >
            Approve {formatCount(passing.length, 'file')}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  )
}

function Names({
  title,
  lines,
  none,
}: {
  title: string
  lines: readonly { id: string; name: string; why: string | null }[]
  none?: string
}) {
  return (
    <section>
      <h3 className="mb-1 text-sm font-semibold">{title}</h3>
      {lines.length === 0 ? (
        <p className="text-sm text-ink-muted">{none}</p>
      ) : (
        <ul
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
          tabIndex={0}
          aria-label={title}
          className="max-h-56 divide-y divide-line overflow-y-auto border-y border-line"
        >
          {lines.map(({ id, name, why }) => (
            <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 text-sm">
              <span className="min-w-0 wrap-anywhere">{name}</span>
              {why && <span className="text-xs text-ink-muted">{why}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
