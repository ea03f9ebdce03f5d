import { getSetup, setUpService } from '@/lib/domain/directory/setup'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getSetup, POST: setUpService })
