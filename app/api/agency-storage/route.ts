import { listAgencyStorage } from '@/lib/domain/directory/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listAgencyStorage })
