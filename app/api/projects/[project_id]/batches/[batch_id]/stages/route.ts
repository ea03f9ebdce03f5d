import { createReviewStage, listReviewStages } from '@/lib/domain/review-stages/stages'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listReviewStages, POST: createReviewStage })
