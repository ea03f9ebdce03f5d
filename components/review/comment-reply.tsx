import { useEffect, useRef, useState } from 'react'
import { AttachButton, attachingProps, ChosenFiles } from '@/components/attachments/attach-field'
import { useAttaching } from '@/components/attachments/use-attaching'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Comment } from '@/lib/domain/review/schema'
import { attachPath } from './comment-attachments'
import { CommentField, NOTHING_SAID, sentOf } from './comment-field'
import type { Room } from './use-viewed-file'

export function CommentReply({ room, comment, close }: { room: Room; comment: Comment; close: () => void }) {
  const [said, say] = useState(NOTHING_SAID)
  const isEmpty = said.body.trim() === ''
  const attaching = useAttaching()
  useUnsavedGuard(!isEmpty || attaching.chosen.length > 0)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments', {
        params: { ...room.batch, file_id: comment.file_id },
        body: { ...sentOf(said), parent_id: comment.id },
      }),
    refresh: false,
    onSuccess: async (reply) => {
      const isWhole = attaching.chosen.length === 0 || (await attaching.send(attachPath(room, reply)))
      if (isWhole) close()
      else say(NOTHING_SAID)
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
      {...attachingProps(attaching)}
    >
      {attaching.left === null && <CommentField batch={room.batch} label="Reply" said={said} say={say} field={field} />}
      <ChosenFiles
        attaching={attaching}
        settle={() => {
          close()
          void room.refetch()
        }}
      />
      <div className={cn('flex justify-end gap-1', attaching.left !== null && 'hidden')}>
        <AttachButton attaching={attaching} />
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
