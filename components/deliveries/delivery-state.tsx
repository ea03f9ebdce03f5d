import { StatusBadge, type Tone } from '@/components/ui/badge'
import type { Delivery } from '@/lib/domain/deliveries/schema'
import { LABELS, type TransferStatus } from '@/lib/vocabulary'

export const TRANSFER_TONES: Record<TransferStatus, Tone> = {
  queued: 'busy',
  sending: 'busy',
  delivered: 'pass',
  failed: 'fail',
  cancelled: 'neutral',
}

export const isUnderWay = ({ status }: Pick<Delivery, 'status'>) => status === 'queued' || status === 'sending'

/** Of a delivery: one that waits after an attempt that failed is not merely queued. */
export function DeliveryBadge({ delivery: { status, reason } }: { delivery: Pick<Delivery, 'status' | 'reason'> }) {
  if (status === 'queued' && reason !== null) return <StatusBadge tone="warn">Waits to try again</StatusBadge>
  return <StatusBadge tone={TRANSFER_TONES[status]}>{LABELS.transferStatus[status]}</StatusBadge>
}
