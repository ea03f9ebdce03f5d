import { Trash2 } from 'lucide-react'
import { IconButton } from '@/components/ui/icon-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Comment } from '@/lib/domain/review/schema'
import type { Room } from './use-viewed-file'

/** Who reads the comments, and what they may do with them. */
export type Commenter = { id: string; mayComment: boolean; mayModerate: boolean }

/** For its author, and for a coordinator. */
export function RemoveComment({ room, comment, me }: { room: Room; comment: Comment; me: Commenter }) {
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
