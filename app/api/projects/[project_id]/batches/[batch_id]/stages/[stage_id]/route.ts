import { getReviewStage, updateReviewStage, withdrawReviewStage } from '@/lib/domain/review-stages/stages'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getReviewStage,
  PATCH: updateReviewStage,
  DELETE: withdrawReviewStage,
})
