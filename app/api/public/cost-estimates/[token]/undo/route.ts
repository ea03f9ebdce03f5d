import { undoClientDecision } from '@/lib/domain/cost-estimates/client'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: undoClientDecision })
