import { StatusBadge, type Tone } from '@/components/ui/badge'
import { type EstimateStatus, LABELS } from '@/lib/vocabulary'

const TONES: Record<EstimateStatus, Tone> = {
  draft: 'neutral',
  awaiting_internal_approval: 'info',
  awaiting_client_approval: 'info',
  approved: 'pass',
  rejected: 'fail',
  expired: 'warn',
}

export const EstimateStatusBadge = ({ status }: { status: EstimateStatus }) => (
  <StatusBadge tone={TONES[status]}>{LABELS.estimateStatus[status]}</StatusBadge>
)
