import { updateCampaign } from '@/lib/domain/directory/commands'
import { getCampaign } from '@/lib/domain/directory/queries'
import { endpoint } from '@/lib/http/endpoint'

export const { GET, POST, PUT, PATCH, DELETE } = endpoint({ GET: getCampaign, PATCH: updateCampaign })
