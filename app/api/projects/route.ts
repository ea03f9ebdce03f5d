import { createProject } from '@/lib/domain/projects/commands'
import { listProjects } from '@/lib/domain/projects/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listProjects, POST: createProject })
