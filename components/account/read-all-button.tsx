'use client'

import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'

export function ReadAllButton() {
  const readAll = useApiMutation({
    request: () => apiRequest('POST /api/notifications/read-all'),
    success: 'All marked read',
  })
  return (
    <Button variant="secondary" loading={readAll.isPending} onClick={() => readAll.mutate()}>
      Mark all read
    </Button>
  )
}
