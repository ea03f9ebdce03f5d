import { updateProject } from '@/lib/domain/projects/commands'
import { getProject } from '@/lib/domain/projects/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getProject, PATCH: updateProject })
