import { getPlayback, makePlayback } from '@/lib/domain/playback/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getPlayback, POST: makePlayback })
