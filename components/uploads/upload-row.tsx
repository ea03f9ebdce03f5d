import { RotateCw, X } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { NameParts } from '@/components/naming/name-parts'
import { announce } from '@/components/ui/announcer'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import { ProgressBar } from '@/components/ui/progress'
import { isOnItsWay, proposedName, type UploadItem, type UploadState } from '@/lib/client/uploader/upload-item'
import type { Uploader } from '@/lib/client/uploader/use-uploader'
import type { NameValidation } from '@/lib/domain/naming/validate-name'
import { formatBytes, formatTimeLeft } from '@/lib/format'
import type { RowFocus } from './rows'

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

/** A file name as the rule reads it; null where nothing reads names part by part. */
export type ExplainName = (name: string) => NameValidation | null

type RowProps = {
  item: UploadItem
  uploader: Uploader
  explain: ExplainName
  /** Whether a file that did not arrive can be sent again. */
  mayRetry: boolean
  focus: RowFocus
}

/** A row is drawn again only when its file changed, or whether it can be sent again: what it calls stays the same. */
export const UploadRow = memo(Row, (last, next) => last.item === next.item && last.mayRetry === next.mayRetry)

function Row({ item, uploader, explain, mayRetry, focus }: RowProps) {
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
    : item.state === 'failed' && mayRetry
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
          // Sent to the last byte: the response may be that it was accepted.
          aria-disabled={item.state === 'validating' || undefined}
          onClick={item.state === 'validating' ? undefined : action.run}
          className={buttonStyles({ variant: 'ghost', size: 'sm', shape: 'icon' })}
        >
          {action.icon}
        </button>
      </div>
      <Bar item={item} />
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
      <Reasons item={item} />
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

/** How one upload goes, where the file itself is named beside it. */
export function UploadProgress({ item, retry }: { item: UploadItem; retry: (id: string) => void }) {
  const { tone, word } = WORDS[item.state]
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusText tone={tone}>{word}</StatusText>
        {isOnItsWay(item) && <span className="text-xs text-ink-subtle tabular-nums">{progressWords(item)}</span>}
        {item.state === 'failed' && (
          <Button size="sm" onClick={() => retry(item.id)}>
            <RotateCw />
            Try again
          </Button>
        )}
      </div>
      <Bar item={item} />
      <Reasons item={item} />
    </div>
  )
}

function Bar({ item }: { item: UploadItem }) {
  const { state, file } = item
  if (state === 'validating') return <ProgressBar value={null} label={`Checking ${file.name}`} />
  if (state !== 'sending' && state !== 'retrying') return null
  return <ProgressBar tone={state === 'retrying' ? 'warn' : 'accent'} value={percentOf(item)} label={file.name} />
}

/** Why it was refused, or did not arrive. */
const Reasons = ({ item: { failure, violations } }: { item: UploadItem }) => (
  <>
    {failure && <p className="text-sm text-ink-muted">{failure}</p>}
    {violations.length > 0 && (
      <ul className="flex flex-col gap-1 text-sm text-ink-muted">
        {violations.map((violation) => (
          <li key={`${violation.code} ${violation.message}`} className="flex gap-2 wrap-anywhere">
            <span aria-hidden="true" className="mt-2 size-1 shrink-0 rounded-full bg-fail-ink" />
            <span className="min-w-0">{violation.message}</span>
          </li>
        ))}
      </ul>
    )}
  </>
)

/** What was sent of a running upload is lost with it: asked in the row, where the response is one key away. */
function AskToCancel({ percent, onKeep, onCancel }: { percent: number; onKeep: () => void; onCancel: () => void }) {
  const keepButton = useRef<HTMLButtonElement>(null)
  useEffect(() => keepButton.current?.focus(), [])
  return (
    <fieldset
      aria-label="Cancel this upload?"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-sunken px-3 py-2 text-sm"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onKeep()
      }}
    >
      <p className="min-w-40 flex-1">{Math.floor(percent)} % is sent already. Cancel, and it is thrown away.</p>
      <Button ref={keepButton} size="sm" onClick={onKeep}>
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
