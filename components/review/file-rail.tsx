'use client'

import { Circle, CircleCheck, CircleX, MessageSquare, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { Thumbnail } from '@/components/files/thumbnail'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import type { FileSummary } from '@/lib/domain/files/schema'
import { LABELS } from '@/lib/vocabulary'
import type { RailFilter } from './room-queries'
import type { WholeRoom } from './use-room'

const ROW = 60
/** Rows drawn beyond what is seen, and before the height of the list is known. */
const SPARE = 6
const FIRST = 24

const FILTERS: readonly { value: RailFilter; label: string; icon?: ReactNode }[] = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'To decide' },
  { value: 'approved', label: 'Approved', icon: <CircleCheck className="text-pass-ink" /> },
  { value: 'rejected', label: 'Rejected', icon: <CircleX className="text-fail-ink" /> },
]

/** The files of the batch, as many as there are: only those in sight are loaded and drawn. */
export function FileRail({ room, className }: { room: WholeRoom; className?: string }) {
  const { rail, openId, open, at, filter, setFilter, counts } = room
  const { show } = rail
  const list = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: FIRST * ROW })

  useEffect(() => {
    const box = list.current
    if (!box) return
    const observer = new ResizeObserver(() => setView({ top: box.scrollTop, height: box.clientHeight }))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const box = list.current
    if (!box || at < 0) return
    const top = at * ROW
    if (top < box.scrollTop) box.scrollTop = Math.max(0, top - ROW)
    else if (top + ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * ROW - box.clientHeight
  }, [at])

  const first = Math.max(0, Math.floor(view.top / ROW) - SPARE)
  const last = Math.min(rail.total, Math.ceil((view.top + view.height) / ROW) + SPARE)
  const total = { ...counts, all: counts.files }
  useEffect(() => {
    if (last > first) show(first, last - 1)
  }, [show, first, last])
  return (
    <nav aria-label="Files of this batch" className={cn('flex min-h-0 flex-col', className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset means form values; these choose what is listed */}
      <div role="group" aria-label="Show" className="flex flex-wrap gap-1 border-b border-line p-2">
        {FILTERS.map(({ value, label, icon }) => (
          <button
            key={value}
            type="button"
            aria-pressed={filter === value}
            onClick={() => setFilter(value)}
            className="inline-flex h-7 items-center gap-1 rounded-md px-2 [&_svg]:size-3.5 text-xs font-medium text-ink-muted tabular-nums hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent-ink pointer-coarse:h-10"
          >
            {icon}
            <span className={icon ? 'sr-only' : undefined}>{label}</span>
            <span className="font-normal">{total[value]}</span>
          </button>
        ))}
      </div>
      <div
        ref={list}
        onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        {rail.total === 0 && !rail.isPending ? (
          <p className="p-4 text-sm text-ink-muted">No file is {filter === 'pending' ? 'left to decide' : filter}.</p>
        ) : (
          <ul className="relative" style={{ height: rail.total * ROW }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, index) => {
              const place = first + index
              const file = rail.at(place)
              return (
                <li key={place} className="absolute inset-x-0" style={{ top: place * ROW, height: ROW }}>
                  {file ? (
                    <Row file={file} isOpen={file.id === openId} open={() => open(file.id, place)} />
                  ) : (
                    <span className="flex size-full items-center gap-2.5 px-2">
                      <Skeleton className="h-10 w-13" />
                      <Skeleton className="flex-1" />
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </div>
    </nav>
  )
}

function Row({ file, isOpen, open }: { file: FileSummary; isOpen: boolean; open: () => void }) {
  const remarks = file.open_comments ?? 0
  return (
    <button
      type="button"
      onClick={open}
      aria-current={isOpen || undefined}
      className="flex size-full items-center gap-2.5 border-l-2 border-transparent px-2 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-current:border-accent aria-current:bg-accent-soft"
    >
      <Thumbnail file={file} className="h-10 w-13" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-xs leading-4 font-medium wrap-anywhere">
          <FileName name={file.name} />
        </span>
        <span className="flex items-center gap-2 text-2xs text-ink-subtle">
          {file.version > 1 && <span>v{file.version}</span>}
          {summaryWord(file)}
          {remarks > 0 && (
            <span className="inline-flex items-center gap-0.5">
              <MessageSquare aria-hidden="true" className="size-3" />
              {remarks}
              <span className="sr-only">open {remarks === 1 ? 'comment' : 'comments'}</span>
            </span>
          )}
        </span>
      </span>
      <DecisionMark file={file} />
    </button>
  )
}

function summaryWord({ pre_qc }: FileSummary): ReactNode {
  if (!pre_qc) return 'Not checked'
  if (pre_qc.status !== 'completed') return LABELS.resultStatus[pre_qc.status]
  if (!pre_qc.summary || pre_qc.summary === 'not_applicable') return null
  const Icon = pre_qc.summary === 'pass' ? CircleCheck : pre_qc.summary === 'warning' ? TriangleAlert : CircleX
  const ink = { pass: 'text-pass-ink', warning: 'text-warn-ink', fail: 'text-fail-ink' }[pre_qc.summary]
  return (
    <span className="inline-flex items-center gap-1">
      <Icon aria-hidden="true" className={cn('size-3', ink)} />
      {LABELS.resultSummary[pre_qc.summary]}
    </span>
  )
}

function DecisionMark({ file: { decision } }: { file: FileSummary }) {
  const label = LABELS.reviewDecision[decision]
  if (decision === 'pending')
    return <Circle aria-label={label} role="img" className="size-4 shrink-0 text-line-control" />
  return decision === 'approved' ? (
    <CircleCheck aria-label={label} role="img" className="size-4 shrink-0 fill-pass-soft text-pass-ink" />
  ) : (
    <CircleX aria-label={label} role="img" className="size-4 shrink-0 fill-fail-soft text-fail-ink" />
  )
}
