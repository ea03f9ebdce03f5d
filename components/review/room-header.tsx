import { ArrowLeft, Keyboard, Send } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { TurnWords } from '@/components/batches/turn'
import { useShell } from '@/components/layout/shell-state'
import { BatchStatusBadge } from '@/components/projects/status'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import { cn } from '@/components/ui/cn'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { StackedBar } from '@/components/ui/progress'
import { apiRequest } from '@/lib/client/api'
import { reviewScope } from '@/lib/client/review-scope'
import { toast } from '@/lib/client/toast'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch } from '@/lib/domain/batches/schema'
import { PassingDialog } from './passing-dialog'
import type { WholeRoom } from './use-room'

/** Which batch is reviewed, how far it is decided, and what ends its review. */
export function RoomHeader({
  batch,
  project,
  room,
  mayReview,
}: {
  batch: Batch
  project: { id: string; name: string }
  room: WholeRoom
  mayReview: boolean
}) {
  const { setHelpOpen } = useShell()
  const back = `/projects/${project.id}/batches/${batch.id}`
  return (
    <header className="flex min-h-12 items-center gap-3 border-b border-line bg-surface px-2 py-1.5 sm:px-3">
      <Link
        href={back}
        aria-label={`Back to ${batch.name}`}
        className={cn(buttonStyles({ variant: 'ghost', shape: 'icon' }))}
      >
        <ArrowLeft />
      </Link>
      <div className="min-w-0">
        <h1 className="truncate text-sm font-semibold">{batch.name}</h1>
        <p className="truncate text-xs text-ink-subtle max-sm:hidden">
          {project.name}
          {batch.round > 0 && `, round ${batch.round}`}
        </p>
      </div>
      <span className="flex items-center gap-2 max-md:hidden">
        <BatchStatusBadge status={batch.status} />
        <TurnWords turn={batch.turn} due={batch.due} />
      </span>
      <div className="ml-auto flex items-center gap-3">
        <div className="w-44 max-xl:hidden">
          <StackedBar
            label="Decisions"
            parts={[
              { value: room.counts.approved, tone: 'pass', label: 'approved' },
              { value: room.counts.rejected, tone: 'fail', label: 'rejected' },
              { value: room.counts.pending, tone: 'neutral', label: 'to decide' },
            ]}
          />
        </div>
        <span className="text-xs whitespace-nowrap text-ink-muted tabular-nums max-sm:hidden">
          {room.counts.files - room.counts.pending} of {room.counts.files} decided
        </span>
        {mayReview && room.counts.pending > 0 && <PassingDialog room={room} />}
        {mayReview && <CompleteReview batch={batch} counts={room.counts} back={back} />}
        <IconButton
          label="Keyboard shortcuts"
          shortcut="?"
          icon={<Keyboard />}
          className="max-sm:hidden"
          onClick={() => setHelpOpen(true)}
        />
      </div>
    </header>
  )
}

function CompleteReview({
  batch,
  counts,
  back,
}: {
  batch: Batch
  counts: { approved: number; rejected: number; pending: number }
  back: string
}) {
  const router = useRouter()
  const complete = useApiMutation({
    scope: reviewScope(batch.id),
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/complete-review', {
        params: { project_id: batch.project_id, batch_id: batch.id },
      }),
    success:
      counts.rejected > 0
        ? 'Review complete: the agency is asked for a resupply'
        : 'Review complete: the batch is approved',
    refresh: false,
    onSuccess: () => {
      // What was decided cannot be taken back any more.
      toast.dismiss()
      router.push(back)
    },
  })
  return (
    <ConfirmDialog
      title={
        counts.rejected > 0
          ? `Ask for ${counts.rejected} new ${counts.rejected === 1 ? 'version' : 'versions'}?`
          : `Approve “${batch.name}”?`
      }
      confirmLabel="Complete review"
      tone="primary"
      onConfirm={() => complete.mutateAsync()}
      trigger={
        <Button variant="primary" disabled={counts.pending > 0}>
          <span className="max-sm:sr-only">Complete review</span>
          <Send aria-hidden="true" className="sm:hidden" />
        </Button>
      }
    >
      {counts.approved} approved, {counts.rejected} rejected.{' '}
      {counts.rejected > 0
        ? 'The upload link then shows exactly the rejected files, with your reasons, the marks and how to fix them.'
        : 'Every file is approved and locked.'}
    </ConfirmDialog>
  )
}
