import { listNeedsEyes } from '@/lib/domain/pre-qc/needs-eyes'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listNeedsEyes })
