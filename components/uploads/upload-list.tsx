'use client'

import { Download, RotateCw, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { FileName } from '@/components/files/file-name'
import { NameParts } from '@/components/naming/name-parts'
import { announce } from '@/components/ui/announcer'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { IconButton } from '@/components/ui/icon-button'
import { ProgressBar } from '@/components/ui/progress'
import { formatBytes, formatTimeLeft } from '@/lib/client/format'
import { asCsv, type UploadItem, type UploadState } from '@/lib/client/uploader/queue'
import type { Uploader } from '@/lib/client/uploader/use-uploader'

const WORDS: Record<UploadState, { tone: Tone; word: string }> = {
  misnamed: { tone: 'fail', word: 'Not sent' },
  waiting: { tone: 'neutral', word: 'Waiting' },
  sending: { tone: 'busy', word: 'Sending' },
  judging: { tone: 'busy', word: 'Checking' },
  stored: { tone: 'pass', word: 'Accepted' },
  refused: { tone: 'fail', word: 'Refused' },
  failed: { tone: 'warn', word: 'Did not arrive' },
  cancelled: { tone: 'neutral', word: 'Cancelled' },
}

const plural = (count: number, word: string) => `${count} ${word}`

/** What happens to each file, and what became of all of them. */
export function UploadList({ uploader }: { uploader: Uploader }) {
  const { items, totals } = uploader
  const summary = [
    plural(totals.stored, 'accepted'),
    totals.refused > 0 && plural(totals.refused, 'refused'),
    totals.failed > 0 && plural(totals.failed, 'did not arrive'),
  ]
    .filter(Boolean)
    .join(', ')
  const isDone = totals.running === 0
  const wasDone = useRef(true)
  useEffect(() => {
    if (isDone && !wasDone.current) announce(`Uploads finished: ${summary}`)
    wasDone.current = isDone
  }, [isDone, summary])
  if (items.length === 0) return null
  return (
    <section aria-label="Uploads" className="rounded-xl border border-line bg-surface shadow-xs">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3">
        {isDone ? (
          <p className="text-sm font-semibold">{summary}</p>
        ) : (
          <div className="min-w-48 flex-1">
            <p className="mb-1 text-sm font-semibold tabular-nums">
              {formatBytes(totals.sentBytes)} of {formatBytes(totals.bytes)}, {totals.running} to go
            </p>
            <ProgressBar value={totals.bytes === 0 ? 0 : (totals.sentBytes / totals.bytes) * 100} label="All uploads" />
          </div>
        )}
        <div className="ml-auto flex flex-wrap gap-1">
          {totals.failed > 0 && (
            <Button size="sm" onClick={uploader.retryAll}>
              <RotateCw />
              Try all again
            </Button>
          )}
          {isDone && (
            <>
              <CopyButton text={asText(items, summary)} label="Copy the summary" showLabel variant="ghost" />
              <Button size="sm" variant="ghost" onClick={() => save(asCsv(items))}>
                <Download />
                CSV
              </Button>
            </>
          )}
        </div>
      </div>
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <UploadRow key={item.id} item={item} uploader={uploader} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ item, uploader }: { item: UploadItem; uploader: Uploader }) {
  const { tone, word } = WORDS[item.state]
  const isMoving = item.state === 'waiting' || item.state === 'sending' || item.state === 'judging'
  const proposal =
    item.state === 'misnamed' || item.state === 'refused'
      ? (item.verdict?.suggestion ?? item.violations.find(({ suggestion }) => suggestion)?.suggestion)
      : undefined
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          {item.state === 'misnamed' && item.verdict && !item.verdict.accepted ? (
            <NameParts verdict={item.verdict} />
          ) : (
            <p className="text-sm font-medium wrap-anywhere">
              <FileName name={item.file.name} />
            </p>
          )}
          <p className="text-xs text-ink-subtle tabular-nums">
            {item.state === 'sending' ? progressWords(item) : formatBytes(item.file.size)}
            {item.version !== null && item.version > 1 && ` · version ${item.version}`}
          </p>
        </div>
        <StatusText tone={tone}>{word}</StatusText>
        {isMoving ? (
          <IconButton
            label={`Cancel ${item.file.name}`}
            size="sm"
            icon={<X />}
            onClick={() => uploader.cancel(item.id)}
          />
        ) : item.state === 'failed' ? (
          <IconButton
            label={`Try ${item.file.name} again`}
            size="sm"
            icon={<RotateCw />}
            onClick={() => uploader.retry(item.id)}
          />
        ) : (
          <IconButton
            label={`Take ${item.file.name} off this list`}
            size="sm"
            icon={<X />}
            onClick={() => uploader.remove(item.id)}
          />
        )}
      </div>
      {item.state === 'sending' && (
        <ProgressBar
          value={item.file.size === 0 ? 100 : (item.sentBytes / item.file.size) * 100}
          label={item.file.name}
        />
      )}
      {item.state === 'judging' && <ProgressBar value={null} label={`Checking ${item.file.name}`} />}
      {item.failure && <p className="text-sm text-ink-muted">{item.failure}</p>}
      {item.violations.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm text-ink-muted">
          {item.violations.map((violation) => (
            <li key={`${violation.code} ${violation.message}`} className="flex gap-2 wrap-anywhere">
              <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-fail-ink" />
              {violation.message}
            </li>
          ))}
        </ul>
      )}
      {proposal && (
        <div>
          <Button size="sm" variant="soft" onClick={() => uploader.rename(item.id, proposal)}>
            Rename to <span className="font-mono wrap-anywhere">{proposal}</span> and add
          </Button>
        </div>
      )}
    </li>
  )
}

function progressWords(item: UploadItem) {
  const seconds = item.startedAt ? (Date.now() - item.startedAt) / 1000 : 0
  const speed = seconds > 0.5 ? item.sentBytes / seconds : 0
  const percent = item.file.size === 0 ? 100 : Math.floor((item.sentBytes / item.file.size) * 100)
  return [
    `${percent} %`,
    `${formatBytes(item.sentBytes)} of ${formatBytes(item.file.size)}`,
    speed > 0 && `${formatBytes(speed)}/s`,
    speed > 0 && formatTimeLeft((item.file.size - item.sentBytes) / speed),
  ]
    .filter(Boolean)
    .join(' · ')
}

const asText = (items: readonly UploadItem[], summary: string) =>
  [
    summary,
    ...items.map(
      (item) =>
        `${item.file.name}: ${WORDS[item.state].word.toLowerCase()}${item.violations.length > 0 ? `. ${item.violations.map(({ message }) => message).join(' ')}` : ''}`,
    ),
  ].join('\n')

function save(csv: string) {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'uploads.csv'
  link.click()
  URL.revokeObjectURL(url)
}
