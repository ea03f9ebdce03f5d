import { deleteEstimate, updateEstimate } from '@/lib/domain/cost-estimates/commands'
import { getEstimate } from '@/lib/domain/cost-estimates/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getEstimate,
  PATCH: updateEstimate,
  DELETE: deleteEstimate,
})
