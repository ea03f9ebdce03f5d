import { rejectEstimate } from '@/lib/domain/cost-estimates/decide'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: rejectEstimate })
