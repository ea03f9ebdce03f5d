import { getSharedTiles, makeSharedTiles } from '@/lib/domain/share-links/tiles'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getSharedTiles, POST: makeSharedTiles })
