import { playbackPair } from '@/lib/http/downloads'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: playbackPair })
