import { updateAgency } from '@/lib/domain/directory/commands'
import { getAgency } from '@/lib/domain/directory/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getAgency, PATCH: updateAgency })
