'use client'

import { Paperclip, X } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { IconButton } from '@/components/ui/icon-button'
import { Spinner } from '@/components/ui/spinner'
import { formatBytes } from '@/lib/format'
import type { Attaching, Chosen } from './use-attaching'

/** For the form around it: files that are pasted or dropped there are attached. */
export const attachingProps = ({ add, left }: Attaching) => ({
  onPaste(event: ClipboardEvent) {
    if (left !== null || event.clipboardData.files.length === 0) return
    event.preventDefault()
    add([...event.clipboardData.files])
  },
  onDragOver(event: DragEvent) {
    if (event.dataTransfer.types.includes('Files')) event.preventDefault()
  },
  onDrop(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    if (left === null) add([...event.dataTransfer.files])
  },
})

/** Opens the choice of files of the system. */
export function AttachButton({ attaching }: { attaching: Attaching }) {
  const input = useRef<HTMLInputElement>(null)
  if (attaching.left !== null) return null
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          attaching.add([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <IconButton
        size="sm"
        label="Attach files"
        icon={<Paperclip />}
        disabled={attaching.isFull}
        onClick={() => input.current?.click()}
      />
    </>
  )
}

/** The files that were chosen; after the comment was sent, those that were not taken with it. `settle`: none is left. */
export function ChosenFiles({ attaching, settle }: { attaching: Attaching; settle?: () => void }) {
  const { chosen, refused, left, isSending, remove, leaveOut, send } = attaching
  const list = chosen.length > 0 && (
    <ul aria-label="Files to attach" className="flex flex-col gap-1">
      {chosen.map((each) => (
        <Line key={each.key} chosen={each} isSending={isSending} remove={left === null ? remove : null} />
      ))}
    </ul>
  )
  if (left !== null && chosen.length > 0)
    return (
      <Callout
        tone="warn"
        title="The comment was sent without these files"
        actions={
          <>
            <Button size="sm" loading={isSending} onClick={() => void send(left).then((all) => all && settle?.())}>
              Try again
            </Button>
            <Button
              size="sm"
              variant="ghost"
              onClick={() => {
                leaveOut()
                settle?.()
              }}
            >
              Leave them out
            </Button>
          </>
        }
      >
        {list}
      </Callout>
    )
  return (
    <>
      {list}
      {refused.length > 0 && (
        <p role="alert" className="text-xs text-fail-ink wrap-anywhere">
          {refused.join(' ')}
        </p>
      )}
    </>
  )
}

function Line({
  chosen: { key, file, fault },
  isSending,
  remove,
}: {
  chosen: Chosen
  isSending: boolean
  remove: ((key: string) => void) | null
}) {
  return (
    <li className="text-xs">
      <span className="flex min-w-0 items-center gap-1.5">
        {isSending ? (
          <Spinner className="size-3.5" />
        ) : (
          <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-ink-subtle" />
        )}
        <span className="min-w-0 truncate" title={file.name}>
          {file.name}
        </span>
        <span className="shrink-0 text-ink-subtle tabular-nums">{formatBytes(file.size)}</span>
        {remove && !isSending && (
          <button
            type="button"
            aria-label={`Leave out ${file.name}`}
            onClick={() => remove(key)}
            className="grid size-6 shrink-0 place-items-center rounded-md text-ink-muted hover:bg-hover pointer-coarse:size-10"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        )}
      </span>
      {fault && <span className="mt-0.5 block text-fail-ink wrap-anywhere">{fault}</span>}
    </li>
  )
}
