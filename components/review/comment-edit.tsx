import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Comment } from '@/lib/domain/review/schema'
import { CommentField, type Said, sentOf } from './comment-field'
import type { View } from './use-view'
import type { Room } from './use-viewed-file'

/** Other words for a comment of one's own, and other shapes where it is drawn; what it said before is on the audit trail. */
export function CommentEdit({
  room,
  view,
  comment,
  close,
}: {
  room: Room
  view: View
  comment: Comment
  close: () => void
}) {
  const [said, say] = useState<Said>({ body: comment.body, people: comment.mentions })
  const isDrawn = view.editedId === comment.id && view.drawing.canUndo
  const isChanged = said.body !== comment.body || isDrawn
  useUnsavedGuard(isChanged)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const save = useApiMutation({
    request: () =>
      apiRequest('PATCH /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}', {
        params: { ...room.batch, file_id: comment.file_id, comment_id: comment.id },
        body: {
          ...(said.body !== comment.body && sentOf(said)),
          ...(isDrawn && { shapes: [...view.drawing.shapes] }),
        },
      }),
    refresh: false,
    success: 'Comment changed',
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
        if (!isChanged) close()
        else if (said.body.trim() && !save.isPending) save.mutate()
      }}
    >
      <CommentField batch={room.batch} label="Words of the comment" said={said} say={say} field={field} />
      {view.editedId === comment.id && comment.shapes.length > 0 && (
        <p className="text-xs text-ink-muted">Drag a shape to move it; with Delete the one that has the focus goes.</p>
      )}
      <div className="flex justify-end gap-1">
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={said.body.trim() === ''} loading={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
