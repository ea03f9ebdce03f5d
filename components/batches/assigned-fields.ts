import type { BrowsedBatch } from '@/lib/domain/batches/schema'

/** Of a batch what is changed for several at once, as it is on screen. */
export type SelectedBatch = Pick<BrowsedBatch, 'id' | 'name' | 'operator' | 'coordinator' | 'due'>
export type AssignedField = 'operator_id' | 'coordinator_id' | 'due_on'
export const FIELD_WORDS: Record<AssignedField, string> = {
  operator_id: 'operator',
  coordinator_id: 'coordinator',
  due_on: 'due date',
}
