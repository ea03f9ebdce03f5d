'use client'

import { Wrench } from 'lucide-react'
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'

/** Has a copy of a file made that fits a destination, and leads to where it is decided on. */
export function RepairFor({
  file,
  destinationId,
  href,
}: {
  file: { project_id: string; batch_id: string; file_id: string }
  destinationId: string
  href: string
}) {
  const propose = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair', {
        params: file,
        body: { destination_id: destinationId },
      }),
    refresh: false,
  })
  if (propose.isSuccess)
    return (
      <p role="status">
        The copy is being made and checked.{' '}
        <Link href={href} className="link">
          Decide on it in the file
        </Link>
      </p>
    )
  return (
    <Button size="sm" loading={propose.isPending} onClick={() => propose.mutate()}>
      <Wrench />
      Make a repaired copy
    </Button>
  )
}
