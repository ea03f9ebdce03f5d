import { addMember, removeMember } from '@/lib/domain/projects/members'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ PUT: addMember, DELETE: removeMember })
