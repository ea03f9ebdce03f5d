import { listMembers } from '@/lib/domain/projects/members'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listMembers })
