import { listGuestDecisions } from '@/lib/domain/review-links/staff'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listGuestDecisions })
