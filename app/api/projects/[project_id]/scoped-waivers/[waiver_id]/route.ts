import { withdrawScopedWaiver } from '@/lib/domain/pre-qc/scoped-waivers'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ DELETE: withdrawScopedWaiver })
