import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Comment } from '@/lib/domain/review/schema'
import { CommentField, NOTHING_SAID, sentOf } from './comment-field'
import type { Room } from './use-viewed-file'

export function CommentReply({ room, comment, close }: { room: Room; comment: Comment; close: () => void }) {
  const [said, say] = useState(NOTHING_SAID)
  const isEmpty = said.body.trim() === ''
  useUnsavedGuard(!isEmpty)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments', {
        params: { ...room.batch, file_id: comment.file_id },
        body: { ...sentOf(said), parent_id: comment.id },
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
        if (!isEmpty && !send.isPending) send.mutate()
      }}
    >
      <CommentField batch={room.batch} label="Reply" said={said} say={say} field={field} />
      <div className="flex justify-end gap-1">
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" size="sm" disabled={isEmpty} loading={send.isPending}>
          Reply
        </Button>
      </div>
    </form>
  )
}
