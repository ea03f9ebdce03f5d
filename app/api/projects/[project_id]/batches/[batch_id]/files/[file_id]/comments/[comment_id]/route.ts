import { deleteComment, updateComment } from '@/lib/domain/review/comments'
import { getComment } from '@/lib/domain/review/read-comments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getComment,
  PATCH: updateComment,
  DELETE: deleteComment,
})
