'use client'

import { Download, ListFilter, PencilLine, RotateCw } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { Button } from '@/components/ui/button'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import { ProgressBar } from '@/components/ui/progress'
import { saveText } from '@/lib/client/save-text'
import { lineOf, receiptAsCsv, receiptAsText } from '@/lib/client/uploader/receipt'
import type { UploadItem } from '@/lib/client/uploader/upload-item'
import type { Uploader } from '@/lib/client/uploader/use-uploader'
import { formatBytes, formatCount } from '@/lib/format'
import { Rows, useRowFocus } from './rows'
import { summaryOf } from './summary'
import { type ExplainName, UploadRow } from './upload-row'

const FILTERED_FROM = 10

/** What happens to each file, and what became of all of them. */
export function UploadList({
  uploader,
  explain,
  hasRecords = true,
  mayRetry = true,
  onEmptied,
}: {
  uploader: Uploader
  explain: ExplainName
  /** Whether the list itself can be copied and saved; not where there is a receipt. */
  hasRecords?: boolean
  /** Whether what did not arrive can be sent again: not while nothing is taken. */
  mayRetry?: boolean
  /** The last file was taken off the list: somewhere else has to take the focus. */
  onEmptied?: () => void
}) {
  const { items, totals, leftOut } = uploader
  const [isFiltered, setFiltered] = useState(false)
  // A user who adds files wants to see them.
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
              Only not accepted ({troubled})
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
          {totals.failed > 0 && mayRetry && (
            <Button size="sm" onClick={uploader.retryAll}>
              <RotateCw />
              Try all again
            </Button>
          )}
          {isDone && hasRecords && <Records items={items} summary={summary} />}
        </div>
        {isCutOff && (
          <p className="w-full text-sm text-ink-muted">
            Greenroom does not respond at the moment. What was sent is safe; the uploads go on by themselves. Leave this
            page open.
          </p>
        )}
        {leftOut > 0 && <LeftOut count={leftOut} />}
      </div>
      <Rows items={shown} focus={focus}>
        {(item) => <UploadRow item={item} uploader={uploader} explain={explain} mayRetry={mayRetry} focus={focus} />}
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
