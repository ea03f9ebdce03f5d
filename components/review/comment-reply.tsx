import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Comment } from '@/lib/domain/review/schema'
import { sendByKey } from './send-by-key'
import type { Room } from './use-viewed-file'

export function CommentReply({ room, comment, close }: { room: Room; comment: Comment; close: () => void }) {
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
