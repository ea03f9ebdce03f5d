import { deleteSavedView, getSavedView, updateSavedView } from '@/lib/domain/saved-views/saved-views'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({
  GET: getSavedView,
  PATCH: updateSavedView,
  DELETE: deleteSavedView,
})
