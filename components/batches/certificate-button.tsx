'use client'

import { Award } from 'lucide-react'
import dynamic from 'next/dynamic'
import { Button } from '@/components/ui/button'
import type { ButtonStyle } from '@/components/ui/button-styles'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Batch } from '@/lib/domain/batches/schema'

const CertificateDialog = dynamic(() => import('./certificate-dialog').then((module) => module.CertificateDialog), {
  loading: () => null,
})

/** The certificate of an approved batch: issued when it is first asked for, to keep as PDF and JSON. */
export function CertificateButton({ batch, variant }: { batch: Pick<Batch, 'id' | 'project_id'> } & ButtonStyle) {
  const path = `/api/projects/${batch.project_id}/batches/${batch.id}/certificate` as const
  const issue = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/certificate', {
        params: { project_id: batch.project_id, batch_id: batch.id },
        body: {},
      }),
    refresh: false,
  })
  return (
    <>
      <Button variant={variant} onClick={() => issue.mutate()} loading={issue.isPending}>
        <Award />
        Certificate
      </Button>
      {issue.data && <CertificateDialog path={path} issued={issue.data} close={issue.reset} />}
    </>
  )
}
