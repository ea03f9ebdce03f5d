import { replaceManifest } from '@/lib/domain/batches/commands'
import { getManifest } from '@/lib/domain/batches/manifest'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getManifest, PUT: replaceManifest })
