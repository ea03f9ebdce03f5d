import { StatusBadge, type Tone } from '@/components/ui/badge'
import { type BatchPreQcStatus, type BatchStatus, LABELS, type ProjectStatus } from '@/lib/vocabulary'

const PROJECT_TONES: Record<ProjectStatus, Tone> = {
  active: 'pass',
  on_hold: 'warn',
  completed: 'info',
  cancelled: 'neutral',
  archived: 'neutral',
}
const BATCH_TONES: Record<BatchStatus, Tone> = {
  open: 'neutral',
  in_review: 'info',
  awaiting_resupply: 'warn',
  approved: 'pass',
  cancelled: 'neutral',
}

export const ProjectStatusBadge = ({ status }: { status: ProjectStatus }) => (
  <StatusBadge tone={PROJECT_TONES[status]}>{LABELS.projectStatus[status]}</StatusBadge>
)

export const BatchStatusBadge = ({ status }: { status: BatchStatus }) => (
  <StatusBadge tone={BATCH_TONES[status]}>{LABELS.batchStatus[status]}</StatusBadge>
)

/** The checks of a batch in few words: what needs eyes comes first. */
export function PreQcWords({
  preQc,
}: {
  preQc: { status: BatchPreQcStatus; pass: number; warning: number; fail: number }
}) {
  if (preQc.status === 'disabled') return <span className="text-ink-subtle">Off</span>
  if (preQc.status === 'idle') return <span className="text-ink-subtle">Not yet run</span>
  if (preQc.status === 'queued') return <StatusBadge tone="busy">Queued</StatusBadge>
  if (preQc.status === 'running') return <StatusBadge tone="busy">Checking</StatusBadge>
  if (preQc.fail > 0) return <StatusBadge tone="fail">{preQc.fail} failed</StatusBadge>
  if (preQc.warning > 0)
    return <StatusBadge tone="warn">{`${preQc.warning} ${preQc.warning === 1 ? 'warning' : 'warnings'}`}</StatusBadge>
  return <StatusBadge tone="pass">{preQc.pass} passed</StatusBadge>
}
