'use client'

import { ArrowLeft, Columns2, Download, Files, Keyboard, Send, ShieldCheck, Undo2 } from 'lucide-react'
import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { toast } from 'sonner'
import { TurnWords } from '@/components/batches/turn'
import { RejectionForm } from '@/components/files/reject-dialog'
import { ownPath } from '@/components/files/thumbnail'
import { versionsOf } from '@/components/files/versions'
import { useShell } from '@/components/layout/shell-state'
import { BatchStatusBadge } from '@/components/projects/status'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import { cn } from '@/components/ui/cn'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { IconButton } from '@/components/ui/icon-button'
import { StackedBar } from '@/components/ui/progress'
import { apiRequest } from '@/lib/client/api'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch } from '@/lib/domain/batches/schema'
import type { File } from '@/lib/domain/files/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import type { Comment } from '@/lib/domain/review/schema'
import { DecisionBar } from './decision-bar'
import { FileRail } from './file-rail'
import { PassingDialog } from './passing-dialog'
import { SidePanel } from './side-panel'
import { Stage } from './stage'
import { type Reviewer, useRoom } from './use-room'
import { useView } from './use-view'

type RoomProps = {
  batch: Batch
  project: { id: string; name: string }
  files: readonly File[]
  comments: readonly Comment[]
  result: PreQcResult | null
  firstId: string | null
  me: Reviewer
  whyNot: string | null
}

type Sheet = 'files' | 'details' | null

/** The review room: one file large, everything known of it beside it, and the whole batch at the fingertips. */
export function RoomScreen({ batch, project, files, comments, result, firstId, me, whyNot }: RoomProps) {
  const { setHelpOpen } = useShell()
  const [isRejecting, setRejecting] = useState(false)
  const [isComparing, setComparing] = useState(false)
  const [sheet, setSheet] = useState<Sheet>(null)
  const room = useRoom({ batch, files, comments, result, firstId, mayReview: me.mayReview })
  const { file } = room
  const view = useView(file, room.comments)
  const versions = file ? versionsOf(file, room.all) : []
  const hasVersions = versions.length > 1
  const comparing = isComparing && hasVersions
  const back = `/projects/${project.id}/batches/${batch.id}`

  useShortcuts([
    { keys: 'j', label: 'Next file', group: 'Review', run: () => room.move(1) },
    { keys: 'k', label: 'Previous file', group: 'Review', run: () => room.move(-1) },
  ])
  useShortcuts(
    [
      {
        keys: 'a',
        label: 'Approve, and on to the next',
        group: 'Review',
        run: () => room.decide({ decision: 'approve' }),
      },
      { keys: 'r', label: 'Reject with a reason', group: 'Review', run: () => setRejecting(true) },
      { keys: 'u', label: 'Take the last decision back (one minute)', group: 'Review', run: room.undoLast },
    ],
    me.mayReview,
  )
  useShortcuts(
    [{ keys: 'x', label: 'Compare versions', group: 'Looking', run: () => setComparing(!isComparing) }],
    hasVersions,
  )

  return (
    <div className="flex h-dvh flex-col overflow-hidden bg-canvas">
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
            {room.current.length - room.counts.pending} of {room.current.length} decided
          </span>
          {me.mayReview && room.counts.pending > 0 && <PassingDialog room={room} />}
          {me.mayReview && <CompleteReview batch={batch} counts={room.counts} back={back} />}
          <IconButton
            label="Keyboard shortcuts"
            shortcut="?"
            icon={<Keyboard />}
            className="max-sm:hidden"
            onClick={() => setHelpOpen(true)}
          />
        </div>
      </header>
      {file ? (
        <div className="relative flex min-h-0 flex-1">
          <FileRail
            room={room}
            className={cn(
              'w-66 shrink-0 border-r border-line bg-surface',
              sheet === 'files' ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full' : 'max-lg:hidden',
            )}
          />
          <main id="main" className="flex min-w-0 flex-1 flex-col">
            <FileTitle file={file} room={room}>
              {hasVersions && (
                <Button
                  size="sm"
                  variant={comparing ? 'soft' : 'ghost'}
                  aria-pressed={comparing}
                  onClick={() => setComparing(!isComparing)}
                >
                  <Columns2 />
                  <span className="max-sm:sr-only">Compare versions</span>
                </Button>
              )}
              <a
                href={ownPath(file.download_url)}
                download
                aria-label={`Download ${file.name}`}
                className={buttonStyles({ variant: 'ghost', shape: 'icon', size: 'sm' })}
              >
                <Download />
              </a>
            </FileTitle>
            <Stage
              key={comparing ? `compare ${file.id}` : 'look'}
              file={file}
              versions={versions}
              isComparing={comparing}
              view={view}
              checks={room.result?.checks ?? []}
              batch={room.batch}
              mayComment={me.mayComment}
            />
          </main>
          <aside
            aria-label="About this file"
            className={cn(
              'flex w-96 shrink-0 flex-col border-l border-line bg-canvas max-xl:w-80',
              sheet === 'details' ? 'max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full' : 'max-lg:hidden',
            )}
          >
            <SidePanel room={room} view={view} file={file} versions={versions} me={me} />
            <div className="max-lg:hidden">
              <DecisionBar
                file={file}
                room={room}
                mayReview={me.mayReview}
                whyNot={whyNot}
                startRejecting={() => setRejecting(true)}
              />
            </div>
          </aside>
        </div>
      ) : (
        <main id="main" className="grid flex-1 place-items-center p-6">
          <EmptyState icon={<Files />} title="No files to review">
            Files appear here as soon as they are in the batch.
          </EmptyState>
        </main>
      )}
      {file && (
        <div className="lg:hidden">
          <DecisionBar
            file={file}
            room={room}
            mayReview={me.mayReview}
            whyNot={whyNot}
            startRejecting={() => setRejecting(true)}
          />
          <div className="grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
            <SheetButton
              icon={<Files />}
              label="Files"
              isOpen={sheet === 'files'}
              onClick={() => setSheet(sheet === 'files' ? null : 'files')}
            />
            <SheetButton
              icon={<ShieldCheck />}
              label="Findings"
              isOpen={sheet === 'details'}
              onClick={() => setSheet(sheet === 'details' ? null : 'details')}
            />
            {me.mayReview && <SheetButton icon={<Undo2 />} label="Undo" isOpen={false} onClick={room.undoLast} />}
          </div>
        </div>
      )}
      {isRejecting && file && (
        <RejectionForm
          file={file}
          findings={(room.result?.checks ?? []).filter((check) => isProblem(check.status))}
          close={() => setRejecting(false)}
          reject={(rejection) => {
            setRejecting(false)
            room.decide({ decision: 'reject', ...rejection })
          }}
        />
      )}
    </div>
  )
}

function SheetButton({
  icon,
  label,
  isOpen,
  onClick,
}: {
  icon: React.ReactNode
  label: string
  isOpen: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={onClick}
      className="flex h-12 flex-col items-center justify-center gap-0.5 text-2xs font-medium text-ink-muted aria-pressed:text-accent-ink [&_svg]:size-4.5"
    >
      {icon}
      {label}
    </button>
  )
}

function FileTitle({
  file,
  room,
  children,
}: {
  file: File
  room: ReturnType<typeof useRoom>
  children: React.ReactNode
}) {
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line bg-surface px-3 py-1">
      <h2 className="min-w-0 truncate text-sm font-medium" title={file.name}>
        {file.name}
      </h2>
      {file.version > 1 && <span className="shrink-0 text-xs text-ink-subtle">Version {file.version}</span>}
      <span className="ml-auto shrink-0 text-xs text-ink-subtle tabular-nums" aria-live="polite">
        {room.at + 1} of {room.shown.length}
      </span>
      {children}
    </div>
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
