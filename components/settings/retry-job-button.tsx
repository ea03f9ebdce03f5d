'use client'

import { RotateCw } from 'lucide-react'
import { IconButton } from '@/components/ui/icon-button'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'

/** Tries a failed job again now. */
export function RetryJobButton({ jobId, label }: { jobId: string; label: string }) {
  const retry = useApiMutation({
    request: () => apiRequest('POST /api/jobs/{job_id}/retry', { params: { job_id: jobId }, body: {} }),
    success: 'The job is tried again now',
  })
  return (
    <IconButton
      label={`Try again: ${label}`}
      icon={<RotateCw />}
      size="sm"
      disabled={retry.isPending}
      onClick={() => retry.mutate()}
    />
  )
}
