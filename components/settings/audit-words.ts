import type { AuditEvent } from '@/lib/domain/audit/schema'
import { LABELS } from '@/lib/vocabulary'

/** What came of it, for events that hold a decision. */
export function outcomeOf({ type, data }: Pick<AuditEvent, 'type' | 'data'>): string | null {
  const labels: Record<string, string> = { ...LABELS.reviewDecision, ...LABELS.batchStatus }
  const outcome = type === 'file.reviewed' || type === 'file.review_undone' ? data.after : data.outcome
  return typeof outcome === 'string' ? (labels[outcome] ?? outcome) : null
}
