'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { StatusText } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardFooter, CardHeader } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DataTable } from '@/components/ui/data-table'
import { ErrorState } from '@/components/ui/error-state'
import { AnchorButton } from '@/components/ui/link-button'
import { ProgressBar } from '@/components/ui/progress'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Delivery } from '@/lib/domain/deliveries/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { DeliveryBadge, isUnderWay, TRANSFER_TONES } from './delivery-state'

/** One delivery: how far it got, why it waits or failed, its files and their receipt. */
export function DeliveryCard({ delivery, mayManage }: { delivery: Delivery; mayManage: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { counts, reason, target } = delivery
  const underWay = isUnderWay(delivery)
  const receipt = `/api/projects/${delivery.project_id}/batches/${delivery.batch_id}/deliveries/${delivery.id}/receipt`
  return (
    <Card aria-label={`Delivery to ${target.name}`}>
      <CardHeader
        title={target.name}
        description={`${LABELS.targetKind[target.kind]}, ${formatCount(counts.files, 'file')}, ${formatBytes(counts.bytes)}`}
        actions={<DeliveryBadge delivery={delivery} />}
      />
      <CardBody className="flex flex-col gap-3">
        {underWay && (
          <ProgressBar
            label={`Delivery to ${target.name}`}
            value={counts.bytes > 0 ? (100 * counts.bytes_sent) / counts.bytes : 0}
            valueText={`${counts.delivered} of ${formatCount(counts.files, 'file')}`}
          />
        )}
        {reason && (
          <Callout
            tone={delivery.status === 'failed' ? 'fail' : 'warn'}
            title={
              delivery.status === 'failed'
                ? `${counts.delivered} of ${formatCount(counts.files, 'file')} delivered`
                : undefined
            }
          >
            {reason}
            {delivery.next_attempt_at && (
              <>
                {' '}
                Next attempt <DateTime value={delivery.next_attempt_at} />.
              </>
            )}
          </Callout>
        )}
        <p className="text-sm text-ink-muted">
          Round {delivery.round}
          {delivery.requested_by && <>, asked for by {delivery.requested_by.name}</>}{' '}
          <RelativeTime value={delivery.created_at} />.{' '}
          {delivery.status === 'delivered'
            ? `Each file was verified: ${LABELS.verification[delivery.verification].toLowerCase()}.`
            : `To be verified by: ${LABELS.verification[delivery.verification].toLowerCase()}.`}
        </p>
        {isOpen && <Files delivery={delivery} />}
      </CardBody>
      <CardFooter>
        <span className="flex flex-wrap gap-1.5">
          <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide files' : 'Show files'}
          </Button>
          {mayManage && <Actions delivery={delivery} />}
        </span>
        <span className="flex items-center gap-1.5">
          Receipt
          {['json', 'csv'].map((format) => (
            <AnchorButton key={format} href={`${receipt}?format=${format}`} download size="sm">
              {format.toUpperCase()}
            </AnchorButton>
          ))}
        </span>
      </CardFooter>
    </Card>
  )
}

function Actions({ delivery }: { delivery: Delivery }) {
  const params = {
    project_id: delivery.project_id,
    batch_id: delivery.batch_id,
    batch_delivery_id: delivery.id,
  }
  const retry = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}/retry', { params }),
    success: 'It is sent again now',
  })
  const cancel = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}/cancel', {
        params,
      }),
    success: 'Delivery cancelled',
    onProblem: () => {},
  })
  const waits = delivery.status === 'queued' && delivery.reason !== null
  const mayRetry = delivery.target.id !== null && (['failed', 'cancelled'].includes(delivery.status) || waits)
  return (
    <>
      {mayRetry && (
        <Button size="sm" loading={retry.isPending} onClick={() => retry.mutate()}>
          Try again now
        </Button>
      )}
      {isUnderWay(delivery) && (
        <ConfirmDialog
          title={`Cancel the delivery to “${delivery.target.name}”?`}
          confirmLabel="Cancel delivery"
          cancelLabel="Keep sending"
          onConfirm={() => cancel.mutateAsync()}
          trigger={
            <Button size="sm" variant="ghost">
              Cancel
            </Button>
          }
        >
          {formatCount(delivery.counts.delivered, 'file')} arrived already and stay there; the others are not sent.
        </ConfirmDialog>
      )}
    </>
  )
}

function Files({ delivery }: { delivery: Delivery }) {
  const params = {
    project_id: delivery.project_id,
    batch_id: delivery.batch_id,
    batch_delivery_id: delivery.id,
  }
  const { data, isError, refetch } = useQuery({
    queryKey: ['delivery', delivery.id, delivery.updated_at],
    queryFn: ({ signal }) =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/deliveries/{batch_delivery_id}', { params, signal }),
    placeholderData: (before) => before,
  })
  if (isError) return <ErrorState title="The files could not be loaded" onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label="Files of the delivery">
        <Skeleton className="h-24" />
      </Loading>
    )
  return (
    <DataTable
      caption={`Files of the delivery to ${delivery.target.name}`}
      rows={data.files}
      rowKey={({ path }) => path}
      isCompact
      columns={[
        {
          key: 'file',
          header: 'File',
          cell: ({ name, version, place, path, sha256 }) => (
            <span className="flex min-w-0 flex-col">
              <span className="wrap-anywhere">
                {name}, version {version}
              </span>
              <span className="font-mono text-xs font-normal text-ink-muted wrap-anywhere">{place ?? path}</span>
              <span className="font-mono text-2xs font-normal text-ink-subtle wrap-anywhere">SHA-256 {sha256}</span>
            </span>
          ),
        },
        { key: 'size', header: 'Size', width: '6rem', align: 'end', cell: ({ size }) => formatBytes(size) },
        {
          key: 'state',
          header: 'State',
          width: '16rem',
          cell: ({ status, proof, reason, delivered_at }) => (
            <span className="flex flex-col gap-0.5">
              <StatusText tone={TRANSFER_TONES[status]}>{LABELS.transferStatus[status]}</StatusText>
              {(proof ?? reason) && <span className="text-xs text-ink-muted wrap-anywhere">{proof ?? reason}</span>}
              {delivered_at && (
                <span className="text-xs text-ink-muted">
                  <DateTime value={delivered_at} />
                </span>
              )}
            </span>
          ),
        },
      ]}
      empty={null}
    />
  )
}
