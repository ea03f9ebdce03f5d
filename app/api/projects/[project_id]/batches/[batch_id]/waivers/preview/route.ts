import { previewWaivers } from '@/lib/domain/pre-qc/many-waivers'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: previewWaivers })
