import { getScorecard } from '@/lib/domain/scorecards/card'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getScorecard })
