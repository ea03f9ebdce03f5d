'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { Download, ListFilter, PencilLine, RotateCw, X } from 'lucide-react'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { NameParts } from '@/components/naming/name-parts'
import { announce } from '@/components/ui/announcer'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import { ProgressBar } from '@/components/ui/progress'
import { formatBytes, formatCount, formatTimeLeft } from '@/lib/client/format'
import { saveText } from '@/lib/client/save-text'
import { isOnItsWay, proposedName, type Totals, type UploadItem, type UploadState } from '@/lib/client/uploader/queue'
import { lineOf, receiptAsCsv, receiptAsText } from '@/lib/client/uploader/receipt'
import type { Uploader } from '@/lib/client/uploader/use-uploader'
import type { NameValidation } from '@/lib/domain/naming/validate-name'

const WORDS: Record<UploadState, { tone: Tone; word: string }> = {
  new: { tone: 'neutral', word: 'Waiting' },
  misnamed: { tone: 'fail', word: 'Not sent' },
  waiting: { tone: 'neutral', word: 'Waiting' },
  sending: { tone: 'busy', word: 'Sending' },
  retrying: { tone: 'warn', word: 'Reconnecting' },
  validating: { tone: 'busy', word: 'Checking' },
  stored: { tone: 'pass', word: 'Accepted' },
  refused: { tone: 'fail', word: 'Refused' },
  failed: { tone: 'warn', word: 'Did not arrive' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
}

/** From here on only the rows in sight are on the page. */
const VIRTUAL_FROM = 40
const FILTERED_FROM = 10

/** A file name as the rule reads it; null where nothing reads names part by part. */
export type ExplainName = (name: string) => NameValidation | null

/** What happens to each file, and what became of all of them. */
export function UploadList({
  uploader,
  explain,
  hasRecords = true,
  onEmptied,
}: {
  uploader: Uploader
  explain: ExplainName
  /** Whether the list itself can be copied and saved; not where there is a receipt. */
  hasRecords?: boolean
  /** The last file was taken off the list: somewhere else has to take the focus. */
  onEmptied?: () => void
}) {
  const { items, totals, leftOut } = uploader
  const [isFiltered, setFiltered] = useState(false)
  // Whoever adds files wants to see them.
  const [known, setKnown] = useState(items.length)
  if (known !== items.length) {
    setKnown(items.length)
    if (items.length > known) setFiltered(false)
  }
  const troubled = totals.refused + totals.failed
  const shown = useMemo(
    () =>
      isFiltered && troubled > 0
        ? items.filter(({ state }) => state === 'refused' || state === 'misnamed' || state === 'failed')
        : items,
    [items, isFiltered, troubled],
  )
  const summary = summaryOf(totals)
  const isDone = totals.running === 0
  const wasDone = useRef(true)
  useEffect(() => {
    if (isDone && !wasDone.current && summary) announce(`Uploads finished: ${summary}`)
    wasDone.current = isDone
  }, [isDone, summary])
  const isCutOff = totals.retrying > 0
  useEffect(() => {
    if (isCutOff) announce('No connection. The uploads go on by themselves when it is back.')
  }, [isCutOff])
  const focus = useRowFocus(shown, onEmptied)
  if (items.length === 0) return leftOut > 0 ? <LeftOut count={leftOut} /> : null
  return (
    <section aria-label="Uploads" className="rounded-xl border border-line bg-surface shadow-xs">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        {isDone ? (
          <p className="text-sm font-semibold">{summary || formatCount(items.length, 'file')}</p>
        ) : (
          <div className="min-w-48 flex-1">
            <p className="mb-1 text-sm font-semibold tabular-nums">
              {formatBytes(totals.sentBytes)} of {formatBytes(totals.bytes)}, {totals.running} to go
            </p>
            <ProgressBar
              tone={isCutOff ? 'warn' : 'accent'}
              value={totals.bytes === 0 ? 0 : (totals.sentBytes / totals.bytes) * 100}
              label="All uploads"
            />
          </div>
        )}
        <div className="ml-auto flex flex-wrap gap-1">
          {troubled > 0 && (items.length > FILTERED_FROM || isFiltered) && (
            <Button
              size="sm"
              variant={isFiltered ? 'soft' : 'ghost'}
              aria-pressed={isFiltered}
              onClick={() => setFiltered(!isFiltered)}
            >
              <ListFilter />
              Only refused ({troubled})
            </Button>
          )}
          {totals.renamable > 1 && (
            <Button
              size="sm"
              onClick={() => {
                const count = totals.renamable
                uploader.renameAll()
                announce(`${formatCount(count, 'file')} renamed as proposed`)
                focus.list()
              }}
            >
              <PencilLine />
              Rename all {totals.renamable} as proposed
            </Button>
          )}
          {totals.failed > 0 && (
            <Button size="sm" onClick={uploader.retryAll}>
              <RotateCw />
              Try all again
            </Button>
          )}
          {isDone && hasRecords && <Records items={items} summary={summary} />}
        </div>
        {isCutOff && (
          <p className="w-full text-sm text-ink-muted">
            Nobody answers at the moment. What was sent is safe; the uploads go on by themselves. Leave this page open.
          </p>
        )}
        {leftOut > 0 && <LeftOut count={leftOut} />}
      </div>
      <Rows items={shown} focus={focus}>
        {(item) => <UploadRow item={item} uploader={uploader} explain={explain} focus={focus} />}
      </Rows>
    </section>
  )
}

const LeftOut = ({ count }: { count: number }) => (
  <p className="w-full text-sm text-ink-muted">
    {count === 1
      ? '1 file of the operating system (such as .DS_Store or Thumbs.db) was left out.'
      : `${count} files of the operating system (such as .DS_Store or Thumbs.db) were left out.`}
  </p>
)

function summaryOf({ stored, refused, failed }: Totals) {
  const parts = [
    (stored > 0 || refused + failed > 0) && `${stored} accepted`,
    refused > 0 && `${refused} refused`,
    failed > 0 && `${failed} did not arrive`,
  ]
  return parts.filter(Boolean).join(', ')
}

function Records({ items, summary }: { items: readonly UploadItem[]; summary: string }) {
  const lines = () => {
    const at = new Date().toISOString()
    return items.map((item) => lineOf(item, at))
  }
  return (
    <>
      <CopyTextButton
        text={() => receiptAsText({ subject: summary, finishedAt: null, lines: lines() })}
        label="Copy the summary"
        variant="ghost"
      />
      <Button
        size="sm"
        variant="ghost"
        onClick={() => saveText('uploads.csv', 'text/csv;charset=utf-8', receiptAsCsv(lines()))}
      >
        <Download />
        CSV
      </Button>
    </>
  )
}

type RowFocus = ReturnType<typeof useRowFocus>

/** A row that changes or goes hands the focus on: to itself, to its neighbour, or out of the list when it was the last. */
function useRowFocus(items: readonly UploadItem[], onEmptied: (() => void) | undefined) {
  const wanted = useRef<string | null>(null)
  const region = useRef<HTMLDivElement>(null)
  const [, hold] = useState(0)
  // Rows are drawn again only when their file changes: what they hold on to must not grow old.
  const now = useRef({ items, onEmptied })
  now.current = { items, onEmptied }
  useEffect(() => {
    if (wanted.current === null) return
    const target = region.current?.querySelector<HTMLElement>(`[data-upload="${wanted.current}"] [data-row-action]`)
    if (!target) return
    wanted.current = null
    target.focus()
  })
  return {
    region,
    wanted,
    list: () => region.current?.focus(),
    /** Once the row is there. */
    row: (id: string) => {
      wanted.current = id
      hold((turn) => turn + 1)
    },
    /** Called before the row goes. */
    past: (id: string) => {
      const { items: list, onEmptied: leave } = now.current
      const at = list.findIndex((item) => item.id === id)
      const next = list[at + 1] ?? list[at - 1]
      if (next) {
        wanted.current = next.id
        hold((turn) => turn + 1)
      } else leave?.()
    },
  }
}

type RowsProps = {
  items: readonly UploadItem[]
  focus: RowFocus
  children: (item: UploadItem) => ReactNode
}

function Rows(props: RowsProps) {
  if (props.items.length >= VIRTUAL_FROM) return <VirtualRows {...props} />
  return (
    <div ref={props.focus.region} tabIndex={-1} className="outline-none">
      <ul className="divide-y divide-line">
        {props.items.map((item) => (
          <li key={item.id} data-upload={item.id}>
            {props.children(item)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A thousand rows in a window of their own; those out of sight are not on the page. */
function VirtualRows({ items, focus, children }: RowsProps) {
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => focus.region.current,
    estimateSize: () => 61,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 4,
  })
  const wanted = focus.wanted.current
  useEffect(() => {
    const at = wanted === null ? -1 : items.findIndex(({ id }) => id === wanted)
    if (at >= 0) rows.scrollToIndex(at)
  }, [wanted, items, rows])
  return (
    <section
      ref={focus.region}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      tabIndex={0}
      aria-label={`${items.length} files`}
      className="relative max-h-[min(70dvh,40rem)] overflow-y-auto overscroll-contain [overflow-anchor:none]"
    >
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return (
            item && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                data-upload={item.id}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0 border-b border-line"
                style={{ transform: `translateY(${start}px)` }}
              >
                {children(item)}
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

type RowProps = { item: UploadItem; uploader: Uploader; explain: ExplainName; focus: RowFocus }

/** A row is drawn again only when its file changed: what it calls stays the same. */
const UploadRow = memo(Row, (last, next) => last.item === next.item)

function Row({ item, uploader, explain, focus }: RowProps) {
  const { tone, word } = WORDS[item.state]
  const [isAsking, setAsking] = useState(false)
  const isCancellable = item.state === 'new' || (isOnItsWay(item) && item.state !== 'validating')
  const proposal = proposedName(item)
  const verdict = useMemo(
    () => (item.state === 'misnamed' ? explain(item.file.name) : null),
    [item.state, item.file.name, explain],
  )
  const action = isCancellable
    ? { label: `Cancel ${item.file.name}`, icon: <X />, run: askOrCancel }
    : item.state === 'failed'
      ? { label: `Try ${item.file.name} again`, icon: <RotateCw />, run: () => uploader.retry(item.id) }
      : { label: `Take ${item.file.name} off this list`, icon: <X />, run: remove }

  function askOrCancel() {
    if (item.sentBytes > 0) setAsking(true)
    else uploader.cancel(item.id)
  }
  function remove() {
    focus.past(item.id)
    uploader.remove(item.id)
    announce(`${item.file.name} was taken off the list`)
  }

  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          {item.folder && <p className="text-xs text-ink-subtle wrap-anywhere">{item.folder}/</p>}
          {verdict && !verdict.accepted ? (
            <NameParts verdict={verdict} />
          ) : (
            <p className="text-sm font-medium wrap-anywhere">
              <FileName name={item.file.name} />
            </p>
          )}
          <p className="text-xs text-ink-subtle tabular-nums">
            {progressWords(item)}
            {item.version !== null && item.version > 1 && ` · version ${item.version}`}
          </p>
        </div>
        <StatusText tone={tone}>{word}</StatusText>
        <button
          type="button"
          data-row-action
          aria-label={action.label}
          title={action.label}
          // Sent to the last byte: the answer may be that it was accepted.
          aria-disabled={item.state === 'validating' || undefined}
          onClick={item.state === 'validating' ? undefined : action.run}
          className={buttonStyles({ variant: 'ghost', size: 'sm', shape: 'icon' })}
        >
          {action.icon}
        </button>
      </div>
      {(item.state === 'sending' || item.state === 'retrying') && (
        <ProgressBar
          tone={item.state === 'retrying' ? 'warn' : 'accent'}
          value={percentOf(item)}
          label={item.file.name}
        />
      )}
      {item.state === 'validating' && <ProgressBar value={null} label={`Checking ${item.file.name}`} />}
      {isAsking && isCancellable && (
        <AskToCancel
          percent={percentOf(item)}
          onKeep={() => {
            setAsking(false)
            focus.row(item.id)
          }}
          onCancel={() => {
            setAsking(false)
            focus.row(item.id)
            uploader.cancel(item.id)
          }}
        />
      )}
      {item.failure && <p className="text-sm text-ink-muted">{item.failure}</p>}
      {item.violations.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm text-ink-muted">
          {item.violations.map((violation) => (
            <li key={`${violation.code} ${violation.message}`} className="flex gap-2 wrap-anywhere">
              <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-fail-ink" />
              <span className="min-w-0">{violation.message}</span>
            </li>
          ))}
        </ul>
      )}
      {proposal && (
        <div>
          <Button
            size="sm"
            variant="soft"
            className="h-auto min-h-7 max-w-full py-1 text-left whitespace-normal pointer-coarse:h-auto pointer-coarse:min-h-9"
            onClick={() => {
              focus.row(item.id)
              uploader.rename(item.id, proposal)
              announce(`Renamed to ${proposal}`)
            }}
          >
            <span className="min-w-0">
              Rename to <span className="font-mono wrap-anywhere">{proposal}</span> and add
            </span>
          </Button>
        </div>
      )}
    </div>
  )
}

/** What was sent of a running upload is lost with it: asked in the row, where the answer is one key away. */
function AskToCancel({ percent, onKeep, onCancel }: { percent: number; onKeep: () => void; onCancel: () => void }) {
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <fieldset
      aria-label="Cancel this upload?"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-sunken px-3 py-2 text-sm"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onKeep()
      }}
    >
      <p className="min-w-40 flex-1">{Math.floor(percent)} % is sent already. Cancel, and it is thrown away.</p>
      <Button ref={keep} size="sm" onClick={onKeep}>
        Keep sending
      </Button>
      <Button size="sm" variant="danger-ghost" onClick={onCancel}>
        Cancel the upload
      </Button>
    </fieldset>
  )
}

const percentOf = ({ file, sentBytes }: UploadItem) => (file.size === 0 ? 100 : (sentBytes / file.size) * 100)

function progressWords(item: UploadItem) {
  const { file, sentBytes, speed, state } = item
  if (state !== 'sending' && state !== 'retrying') return formatBytes(file.size)
  return [
    `${Math.floor(percentOf(item))} %`,
    `${formatBytes(sentBytes)} of ${formatBytes(file.size)}`,
    speed && `${formatBytes(speed)}/s`,
    speed && formatTimeLeft((file.size - sentBytes) / speed),
  ]
    .filter(Boolean)
    .join(' · ')
}
