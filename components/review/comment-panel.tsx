'use client'

import { Check, CornerDownRight, Lock, MapPin, RotateCcw, Trash2, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { File } from '@/lib/domain/files/schema'
import type { Comment } from '@/lib/domain/review/schema'
import { placeWords } from './place-words'
import type { Room } from './use-room'
import type { View } from './use-view'

type Props = {
  room: Room
  view: View
  file: File
  earlier: readonly File[]
  me: { id: string; mayComment: boolean; mayModerate: boolean }
}

/** What people say about the file that is viewed, and what is still open from its earlier versions. */
export function CommentPanel({ room, view, file, earlier, me }: Props) {
  const before = room.comments.filter(
    (comment) =>
      comment.parent_id === null && comment.resolved_at === null && earlier.some(({ id }) => id === comment.file_id),
  )
  return (
    <div className="flex flex-col gap-4 p-4">
      {me.mayComment && <Composer key={file.id} room={room} view={view} file={file} />}
      {view.marks.length === 0 && before.length === 0 && (
        <p className="text-sm text-ink-muted">
          {me.mayComment ? 'No comments yet. Press c and point at a place, or drag over an area.' : 'No comments yet.'}
        </p>
      )}
      <ol className="flex flex-col gap-3">
        {view.marks.map(({ number, comment }) => (
          <Thread key={comment.id} room={room} view={view} number={number} comment={comment} me={me} />
        ))}
      </ol>
      {before.length > 0 && (
        <section className="flex flex-col gap-3 border-t border-line pt-4">
          <h3 className="text-sm font-semibold">Still open from earlier versions</h3>
          <ol className="flex flex-col gap-3">
            {before.map((comment) => (
              <Thread key={comment.id} room={room} view={view} comment={comment} me={me} />
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

/** Sends by Ctrl Enter, as people expect where Enter makes a line. */
const sendByKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}

function Composer({ room, view, file }: Pick<Props, 'room' | 'view' | 'file'>) {
  const [body, setBody] = useState('')
  useUnsavedGuard(body.trim() !== '')
  const [isInternal, setInternal] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { draft } = view
  const hasDraft = draft !== null
  useEffect(() => {
    if (hasDraft) field.current?.focus({ preventScroll: true })
  }, [hasDraft])
  const add = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments', {
        params: { ...room.batch, file_id: file.id },
        body: { body, anchor: draft, is_internal: isInternal },
      }),
    refresh: false,
    onSuccess: async (comment) => {
      setBody('')
      view.setTool('move')
      view.setDraft(null)
      await room.refetch()
      view.select(comment.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (body.trim() && !add.isPending) add.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      {draft && (
        <p className="flex items-center gap-1.5 self-start rounded-full border border-accent-line bg-accent-soft py-0.5 pr-1 pl-2 text-xs text-accent-ink">
          <MapPin aria-hidden="true" className="size-3.5" />
          {placeWords(draft)}
          <button
            type="button"
            aria-label="Comment on the whole file instead"
            onClick={() => view.setDraft(null)}
            className="grid size-6 place-items-center rounded-full hover:bg-hover"
          >
            <X className="size-3" />
          </button>
        </p>
      )}
      <Field label="Comment" name="body" labelHidden>
        <Textarea
          ref={field}
          value={body}
          rows={2}
          maxLength={4000}
          placeholder={draft ? 'What about this place?' : 'Comment on the whole file'}
          onChange={(event) => setBody(event.target.value)}
          onKeyDown={(event) => {
            sendByKey(event)
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </Field>
      <div className="flex items-center justify-between gap-2">
        <Checkbox label="Team only" checked={isInternal} onCheckedChange={(checked) => setInternal(checked === true)} />
        <Button type="submit" size="sm" disabled={body.trim() === ''} loading={add.isPending}>
          Comment
        </Button>
      </div>
    </form>
  )
}

function Thread({
  room,
  view,
  number,
  comment,
  me,
}: Pick<Props, 'room' | 'view' | 'me'> & { number?: number; comment: Comment }) {
  const [isReplying, setReplying] = useState(false)
  const replies = room.comments.filter(({ parent_id }) => parent_id === comment.id)
  const isSelected = view.selectedId === comment.id
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSelected) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const resolve = useApiMutation({
    request: () =>
      apiRequest('PATCH /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}', {
        params: { ...room.batch, file_id: comment.file_id, comment_id: comment.id },
        body: { resolved: comment.resolved_at === null },
      }),
    refresh: false,
    onSuccess: async () => {
      await room.refetch()
    },
  })
  const isResolved = comment.resolved_at !== null
  return (
    <li
      ref={row}
      className={cn(
        'scroll-m-2 rounded-lg border bg-surface p-3 text-sm',
        isSelected ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex items-start gap-2">
        {number !== undefined && (
          <span className="grid size-5 shrink-0 place-items-center rounded-full bg-active text-2xs font-semibold tabular-nums">
            {number}
          </span>
        )}
        <div className="min-w-0 flex-1">
          <Byline comment={comment} />
          {comment.anchor && (
            <Button variant="link" size="sm" className="h-6 px-0 text-xs" onClick={() => view.select(comment.id)}>
              {placeWords(comment.anchor)}
            </Button>
          )}
          {number === undefined && <p className="text-xs text-ink-subtle">On version {comment.file_version}</p>}
        </div>
        {me.mayComment && (
          <IconButton
            size="sm"
            label={isResolved ? 'Open again' : 'Resolve'}
            icon={isResolved ? <RotateCcw /> : <Check />}
            loading={resolve.isPending}
            onClick={() => resolve.mutate()}
          />
        )}
      </div>
      <p className={cn('mt-1 wrap-anywhere whitespace-pre-wrap', isResolved && 'text-ink-subtle line-through')}>
        {comment.body}
      </p>
      {isResolved && comment.resolved_by && (
        <p className="mt-1 text-xs text-pass-ink">Resolved by {comment.resolved_by.name}</p>
      )}
      {replies.length > 0 && (
        <ul className="mt-2 flex flex-col gap-2 border-l border-line-strong pl-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <div className="flex items-center justify-between gap-2">
                <Byline comment={reply} />
                <Remove room={room} comment={reply} me={me} />
              </div>
              <p className="wrap-anywhere whitespace-pre-wrap">{reply.body}</p>
            </li>
          ))}
        </ul>
      )}
      {me.mayComment && !isResolved && (
        <div className="mt-1 flex items-center gap-1">
          {!isReplying && (
            <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setReplying(true)}>
              <CornerDownRight />
              Reply
            </Button>
          )}
          <Remove room={room} comment={comment} me={me} />
        </div>
      )}
      {isReplying && <ReplyForm room={room} comment={comment} close={() => setReplying(false)} />}
    </li>
  )
}

const Byline = ({ comment }: { comment: Comment }) => (
  <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-subtle">
    <Avatar name={comment.author.name} size="sm" />
    <span className="font-medium text-ink">{comment.author.name}</span>
    <RelativeTime value={comment.created_at} />
    {comment.edited_at && 'edited'}
    {comment.is_internal && (
      <span className="inline-flex items-center gap-0.5">
        <Lock aria-hidden="true" className="size-3" />
        Team only
      </span>
    )}
  </p>
)

function ReplyForm({ room, comment, close }: Pick<Props, 'room'> & { comment: Comment; close: () => void }) {
  const [body, setBody] = useState('')
  useUnsavedGuard(body.trim() !== '')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments', {
        params: { ...room.batch, file_id: comment.file_id },
        body: { body, parent_id: comment.id },
      }),
    refresh: false,
    onSuccess: async () => {
      close()
      await room.refetch()
    },
  })
  return (
    <form
      className="mt-2 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (body.trim() && !send.isPending) send.mutate()
      }}
    >
      <Field label="Reply" name="reply" labelHidden>
        <Textarea
          ref={field}
          value={body}
          rows={2}
          maxLength={4000}
          onChange={(event) => setBody(event.target.value)}
          onKeyDown={sendByKey}
        />
      </Field>
      <div className="flex justify-end gap-1">
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={body.trim() === ''} loading={send.isPending}>
          Reply
        </Button>
      </div>
    </form>
  )
}

function Remove({ room, comment, me }: Pick<Props, 'room' | 'me'> & { comment: Comment }) {
  const remove = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}', {
        params: { ...room.batch, file_id: comment.file_id, comment_id: comment.id },
      }),
    success: 'Comment removed',
    refresh: false,
    onSuccess: async () => {
      await room.refetch()
    },
  })
  if (comment.author.id !== me.id && !me.mayModerate) return null
  return (
    <IconButton
      size="sm"
      label="Remove this comment"
      icon={<Trash2 />}
      loading={remove.isPending}
      onClick={() => remove.mutate()}
    />
  )
}
