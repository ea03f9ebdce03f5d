'use client'

import { Button } from '@/components/ui/button'
import { useApiMutation } from '@/lib/client/use-api-mutation'

export function ReadAllButton() {
  const readAll = useApiMutation({
    request: () => ({ path: '/api/notifications/read-all' as const }),
    success: 'All marked read',
  })
  return (
    <Button variant="secondary" loading={readAll.isPending} onClick={() => readAll.mutate(undefined)}>
      Mark all read
    </Button>
  )
}
