import { deactivateScorecardLink } from '@/lib/domain/scorecards/links'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ DELETE: deactivateScorecardLink })
