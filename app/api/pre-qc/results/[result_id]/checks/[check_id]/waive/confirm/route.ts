import { confirmWaiver } from '@/lib/domain/pre-qc/waivers'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: confirmWaiver })
