import { createScorecardLink, listScorecardLinks } from '@/lib/domain/scorecards/links'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listScorecardLinks, POST: createScorecardLink })
