import { endpoint } from '@/lib/http/endpoint'
import { exportMarkers } from '@/lib/http/marker-export'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: exportMarkers })
