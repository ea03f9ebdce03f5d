'use client'

import { ChevronDown, ChevronUp, RotateCw, X } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useReducer, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { ProgressBar } from '@/components/ui/progress'
import { useHeightVariable } from '@/components/ui/use-height-variable'
import { type Totals, totalsOf } from '@/lib/client/uploader/upload-item'
import { type BatchUploads, forgetDone } from '@/lib/client/uploader/uploads-elsewhere'
import { useQueue } from '@/lib/client/uploader/use-uploader'
import { formatBytes } from '@/lib/format'
import { summaryOf } from './summary'

/** Uploads that go on while other pages are shown: a line with their progress, and what is behind it on demand. */
export function UploadTray({ uploads, isRoom }: { uploads: readonly BatchUploads[]; isRoom: boolean }) {
  const totals = useTotals(uploads)
  const [isOpen, setOpen] = useState(false)
  const isDone = totals.running === 0
  const words = isDone ? summaryOf(totals) : inProgress(totals)
  const wasDone = useRef(isDone)
  useEffect(() => {
    if (isDone && !wasDone.current) announce(`Uploads finished: ${words}`)
    wasDone.current = isDone
  }, [isDone, words])
  const card = useRef<HTMLElement>(null)
  useHeightVariable(card, '--upload-tray-height')
  return (
    <section
      ref={card}
      aria-label="Uploads"
      className={cn(
        'fixed bottom-5 z-40 w-88 rounded-xl border border-line-strong bg-raised text-sm shadow-popover max-sm:inset-x-3 max-sm:w-auto print:hidden',
        isRoom ? 'left-5 max-sm:bottom-34' : 'right-5 max-md:bottom-19',
      )}
    >
      <div className="flex items-center gap-1 py-2 pr-2 pl-4">
        <p className="min-w-0 flex-1 font-medium tabular-nums wrap-anywhere">{words}</p>
        <IconButton
          label={isOpen ? 'Hide the uploads' : 'Show the uploads'}
          aria-expanded={isOpen}
          size="sm"
          icon={isOpen ? <ChevronDown /> : <ChevronUp />}
          onClick={() => setOpen(!isOpen)}
        />
        {isDone && <IconButton label="Close" size="sm" icon={<X />} onClick={forgetDone} />}
      </div>
      {!isDone && (
        <ProgressBar
          className="rounded-none"
          tone={totals.retrying > 0 ? 'warn' : 'accent'}
          value={shareSent(totals)}
          label="All uploads"
        />
      )}
      <ul className={cn('max-h-72 divide-y divide-line overflow-y-auto border-t border-line', !isOpen && 'hidden')}>
        {uploads.map((one) => (
          <OfBatch key={one.batch.id} uploads={one} isOnly={uploads.length === 1} />
        ))}
      </ul>
    </section>
  )
}

function OfBatch({ uploads: { batch, queue }, isOnly }: { uploads: BatchUploads; isOnly: boolean }) {
  const { items, totals, retry, retryAll } = useQueue(queue, true)
  const troubled = items.filter(({ state }) => state === 'failed')
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div>
        <Link
          href={`/projects/${batch.projectId}/batches/${batch.id}`}
          className="font-medium text-accent-ink underline-offset-2 wrap-anywhere hover:underline"
        >
          {batch.name}
        </Link>
        {!isOnly && (
          <p className="text-ink-muted tabular-nums">{totals.running > 0 ? inProgress(totals) : summaryOf(totals)}</p>
        )}
        {totals.refused > 0 && <p className="text-ink-muted">The batch says what is wrong with what was refused.</p>}
      </div>
      {troubled.slice(0, 5).map(({ id, file, failure }) => (
        <div key={id} className="flex items-start gap-2">
          <p className="min-w-0 flex-1 wrap-anywhere">
            {file.name}
            <span className="block text-xs text-ink-muted">{failure}</span>
          </p>
          <IconButton label={`Try ${file.name} again`} size="sm" icon={<RotateCw />} onClick={() => retry(id)} />
        </div>
      ))}
      {troubled.length > 1 && (
        <Button size="sm" className="self-start" onClick={retryAll}>
          <RotateCw />
          Try all again
        </Button>
      )}
    </li>
  )
}

/** Of all queues together, as of their last change. */
function useTotals(uploads: readonly BatchUploads[]): Totals {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const stops = uploads.map(({ queue }) => queue.subscribe(redraw))
    return () => {
      for (const stop of stops) stop()
    }
  }, [uploads])
  return totalsOf(uploads.flatMap(({ queue }) => queue.items))
}

const shareSent = ({ bytes, sentBytes }: Totals) => (bytes === 0 ? 0 : (sentBytes / bytes) * 100)

function inProgress({ bytes, sentBytes, running, retrying, failed, refused }: Totals): string {
  const sent = `${formatBytes(sentBytes)} of ${formatBytes(bytes)}`
  if (retrying > 0) return `Reconnecting: ${sent}, ${running} to go`
  const troubled = failed + refused
  return `Uploading ${sent}, ${running} to go${troubled > 0 ? `, ${troubled} with problems` : ''}`
}
