import { createSavedView, listSavedViews } from '@/lib/domain/saved-views/saved-views'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: listSavedViews, POST: createSavedView })
