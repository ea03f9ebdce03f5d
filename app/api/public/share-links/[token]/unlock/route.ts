import { endpoint } from '@/lib/http/endpoint'
import { unlockShare } from '@/lib/http/shared-files'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ POST: unlockShare })
