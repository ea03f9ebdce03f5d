'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { AttachButton, attachingProps, ChosenFiles } from '@/components/attachments/attach-field'
import { AttachedFiles } from '@/components/attachments/attached-files'
import { useAttaching } from '@/components/attachments/use-attaching'
import { placeWords } from '@/components/review/place-words'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { RelativeTime } from '@/components/ui/relative-time'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Anchor, Attachment } from '@/lib/domain/review/schema'
import type { RoomComment, RoomFile } from '@/lib/domain/review-links/schema'
import { guestAttachPath, newestOwn } from './guest-attachments'
import { roomKey } from './use-room-live'

type Said = RoomComment['replies'][number]
type Open = { id: string; does: 'reply' | 'edit' } | null

/** What was said of a file; one's own can be changed and removed. */
export function GuestComments({
  token,
  file,
  show,
}: {
  token: string
  file: RoomFile
  show: (anchor: Anchor) => void
}) {
  const [open, setOpen] = useState<Open>(null)
  if (file.comments.length === 0) return null
  const close = () => setOpen(null)
  return (
    <ol className="flex flex-col gap-4" aria-label={`Comments on ${file.name}`}>
      {file.comments.map((comment, index) => (
        <li key={comment.id} className="flex gap-2.5">
          <span className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full bg-[#1c2322] text-2xs font-semibold text-white">
            {index + 1}
          </span>
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <One token={token} file={file} said={comment} open={open} setOpen={setOpen}>
              {comment.anchor && (
                <button
                  type="button"
                  onClick={() => comment.anchor && show(comment.anchor)}
                  className="text-left text-xs text-accent-ink underline-offset-2 hover:underline"
                >
                  {placeWords(comment.anchor, comment.shapes.length > 0)}
                </button>
              )}
              {comment.is_resolved && <p className="text-xs text-ink-subtle">Resolved</p>}
            </One>
            {comment.replies.map((reply) => (
              <div key={reply.id} className="border-l-2 border-line pl-3">
                <One token={token} file={file} said={reply} open={open} setOpen={setOpen} />
              </div>
            ))}
            {open?.id === comment.id && open.does === 'reply' ? (
              <Words
                label="Reply"
                action="Reply"
                close={close}
                token={token}
                attachTo={(seen) => {
                  const thread = seen.comments.find(({ id }) => id === comment.id)
                  return guestAttachPath(token, seen, newestOwn(thread?.replies ?? []))
                }}
                request={(body) =>
                  apiRequest('POST /api/public/review-links/{token}/files/{file_id}/comments', {
                    params: { token, file_id: file.id },
                    body: { body, parent_id: comment.id },
                  })
                }
              />
            ) : (
              <div className="-ml-2">
                <Button size="sm" variant="ghost" onClick={() => setOpen({ id: comment.id, does: 'reply' })}>
                  Reply
                </Button>
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function One({
  token,
  file,
  said,
  open,
  setOpen,
  children,
}: {
  token: string
  file: RoomFile
  said: Said
  open: Open
  setOpen: (open: Open) => void
  children?: ReactNode
}) {
  const params = { token, file_id: file.id, comment_id: said.id }
  const remove = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}', { params }),
    success: 'Comment removed',
    invalidate: [roomKey(token)],
  })
  const detach = useApiMutation({
    request: ({ id }: Attachment) =>
      apiRequest(
        'DELETE /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}',
        { params: { ...params, attachment_id: id } },
      ),
    success: ({ name }) => `${name} removed from the comment`,
    invalidate: [roomKey(token)],
  })
  if (open?.id === said.id && open.does === 'edit') {
    return (
      <Words
        label="Your comment"
        action="Save"
        start={said.body}
        close={() => setOpen(null)}
        token={token}
        request={(body) =>
          apiRequest('PATCH /api/public/review-links/{token}/files/{file_id}/comments/{comment_id}', {
            params,
            body: { body },
          })
        }
      />
    )
  }
  return (
    <div className="flex flex-col gap-0.5">
      <p className="text-xs text-ink-subtle">
        <span className="font-medium text-ink wrap-anywhere">{said.is_mine ? 'You' : said.author}</span>{' '}
        <RelativeTime value={said.created_at} />
        {said.edited_at && ', edited'}
      </p>
      <p className="text-sm wrap-anywhere whitespace-pre-wrap">{said.body}</p>
      <AttachedFiles
        attachments={said.attachments}
        remove={said.is_mine ? (attachment) => detach.mutate(attachment) : undefined}
      />
      {children}
      {said.is_mine && (
        <div className="-ml-2 flex gap-1">
          <Button size="sm" variant="ghost" onClick={() => setOpen({ id: said.id, does: 'edit' })}>
            Edit
          </Button>
          <ConfirmDialog
            title="Remove your comment?"
            confirmLabel="Remove comment"
            tone="danger"
            onConfirm={() => remove.mutateAsync()}
            trigger={
              <Button size="sm" variant="ghost">
                Remove
              </Button>
            }
          >
            It goes from this page at once. That it was there stays on record.
          </ConfirmDialog>
        </div>
      )}
    </div>
  )
}

function Words({
  label,
  action,
  start = '',
  close,
  token,
  request,
  attachTo,
}: {
  label: string
  action: string
  start?: string
  close: () => void
  token: string
  request: (
    body: string,
  ) => ReturnType<typeof apiRequest<'POST /api/public/review-links/{token}/files/{file_id}/comments'>>
  /** Where its files go, by the response; left out where none are attached. */
  attachTo?: (seen: RoomFile) => string | null
}) {
  const [body, setBody] = useState(start)
  const attaching = useAttaching()
  useUnsavedGuard((body.trim() !== '' && body !== start) || attaching.chosen.length > 0)
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: roomKey(token) })
  const send = useApiMutation({
    request: () => request(body),
    onSuccess: async (seen) => {
      const path = attaching.chosen.length > 0 ? attachTo?.(seen) : null
      if (!path || (await attaching.send(path))) close()
      else setBody('')
      await refetch()
    },
  })
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (body.trim() && !send.isPending) send.mutate()
      }}
      {...(attachTo && attachingProps(attaching))}
    >
      <Field label={label} name="words" labelHidden>
        <Textarea value={body} rows={2} maxLength={4000} autoFocus onChange={(event) => setBody(event.target.value)} />
      </Field>
      <ChosenFiles
        attaching={attaching}
        settle={() => {
          close()
          void refetch()
        }}
      />
      <div className="flex gap-1">
        <Button type="submit" size="sm" disabled={body.trim() === ''} loading={send.isPending}>
          {action}
        </Button>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        {attachTo && <AttachButton attaching={attaching} />}
      </div>
    </form>
  )
}
