import { deleteComment, getComment, updateComment } from '@/lib/domain/review/comments'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getComment,
  PATCH: updateComment,
  DELETE: deleteComment,
})
