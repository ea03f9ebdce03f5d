import { getTiles, makeTiles } from '@/lib/domain/tiles/operations'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getTiles, POST: makeTiles })
