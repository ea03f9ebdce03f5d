import { Check, CopyPlus, CornerDownRight, Pencil, RotateCcw } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Comment } from '@/lib/domain/review/schema'
import { CommentAttachments } from './comment-attachments'
import { CommentByline } from './comment-byline'
import { CommentEdit } from './comment-edit'
import { CommentReply } from './comment-reply'
import { CommentText } from './comment-text'
import { placeWords } from './place-words'
import { type Commenter, RemoveComment } from './remove-comment'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

/** A comment with its replies; resolved and opened again here. */
export function CommentThread({
  room,
  view,
  number,
  comment,
  me,
}: {
  room: Room
  view: View
  number?: number
  comment: Comment
  me: Commenter
}) {
  const [isReplying, setReplying] = useState(false)
  const [editedId, setEditedId] = useState<string | null>(null)
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
  const copy = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/copy', {
        params: { ...room.batch, file_id: comment.file_id, comment_id: comment.id },
      }),
    refresh: false,
    success: 'Comment copied to this version',
    onSuccess: async (copied) => {
      await room.refetch()
      view.select(copied.id)
    },
  })
  const isResolved = comment.resolved_at !== null
  const mayEdit = ({ id, author, by_guest }: Comment) =>
    me.mayComment && !by_guest && author.id === me.id && editedId !== id
  const closeEdit = () => {
    setEditedId(null)
    view.edit(null)
  }
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
          <CommentByline comment={comment} />
          {comment.anchor && (
            <Button variant="link" size="sm" className="h-6 px-0 text-xs" onClick={() => view.select(comment.id)}>
              {placeWords(comment.anchor, comment.shapes.length > 0, view.clock)}
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
      {editedId === comment.id ? (
        <CommentEdit room={room} view={view} comment={comment} close={closeEdit} />
      ) : (
        <CommentText comment={comment} className={cn('mt-1', isResolved && 'text-ink-subtle line-through')} />
      )}
      <CommentAttachments room={room} comment={comment} me={me} />
      {isResolved && comment.resolved_by && (
        <p className="mt-1 text-xs text-pass-ink">Resolved by {comment.resolved_by.name}</p>
      )}
      {replies.length > 0 && (
        <ul className="mt-2 flex flex-col gap-2 border-l border-line-strong pl-3">
          {replies.map((reply) => (
            <li key={reply.id}>
              <div className="flex items-center justify-between gap-2">
                <CommentByline comment={reply} />
                <span className="flex shrink-0">
                  {mayEdit(reply) && <EditButton edit={() => setEditedId(reply.id)} />}
                  <RemoveComment room={room} comment={reply} me={me} />
                </span>
              </div>
              {editedId === reply.id ? (
                <CommentEdit room={room} view={view} comment={reply} close={closeEdit} />
              ) : (
                <CommentText comment={reply} />
              )}
              <CommentAttachments room={room} comment={reply} me={me} />
            </li>
          ))}
        </ul>
      )}
      {me.mayComment && !isResolved && (
        <div className="mt-1 flex flex-wrap items-center gap-1">
          {!isReplying && (
            <Button size="sm" variant="ghost" className="-ml-2" onClick={() => setReplying(true)}>
              <CornerDownRight />
              Reply
            </Button>
          )}
          {number === undefined && (
            <Button size="sm" variant="ghost" loading={copy.isPending} onClick={() => copy.mutate()}>
              <CopyPlus />
              Copy to this version
            </Button>
          )}
          {mayEdit(comment) && (
            <EditButton
              edit={() => {
                setEditedId(comment.id)
                if (number !== undefined) view.edit(comment)
              }}
            />
          )}
          <RemoveComment room={room} comment={comment} me={me} />
        </div>
      )}
      {isReplying && <CommentReply room={room} comment={comment} close={() => setReplying(false)} />}
    </li>
  )
}

const EditButton = ({ edit }: { edit: () => void }) => (
  <IconButton size="sm" label="Change this comment" icon={<Pencil />} onClick={edit} />
)
