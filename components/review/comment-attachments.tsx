import { AttachedFiles } from '@/components/attachments/attached-files'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Attachment, Comment } from '@/lib/domain/review/schema'
import type { Commenter } from './remove-comment'
import type { Room } from './use-viewed-file'

/** Where files are attached to a comment. */
export const attachPath = ({ batch: { project_id, batch_id } }: Room, { id, file_id }: Comment) =>
  `/api/projects/${project_id}/batches/${batch_id}/files/${file_id}/comments/${id}/attachments`

/** The files that a comment carries; its author and coordinators remove them. */
export function CommentAttachments({ room, comment, me }: { room: Room; comment: Comment; me: Commenter }) {
  const remove = useApiMutation({
    request: ({ id }: Attachment) =>
      apiRequest(
        'DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/comments/{comment_id}/attachments/{attachment_id}',
        { params: { ...room.batch, file_id: comment.file_id, comment_id: comment.id, attachment_id: id } },
      ),
    refresh: false,
    success: ({ name }) => `${name} removed from the comment`,
    onSuccess: async () => {
      await room.refetch()
    },
  })
  const mayRemove = me.mayComment && (comment.author.id === me.id || me.mayModerate)
  return (
    <AttachedFiles
      attachments={comment.attachments}
      remove={mayRemove ? (attachment) => remove.mutate(attachment) : undefined}
    />
  )
}
