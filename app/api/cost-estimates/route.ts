import { createEstimate } from '@/lib/domain/cost-estimates/commands'
import { listEstimates } from '@/lib/domain/cost-estimates/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listEstimates, POST: createEstimate })
