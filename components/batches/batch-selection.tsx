'use client'

import dynamic from 'next/dynamic'
import { createContext, type ReactNode, use, useState } from 'react'
import { NamedFew } from '@/components/files/named-few'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { CheckboxBox } from '@/components/ui/checkbox'
import { SelectionFrame } from '@/components/ui/selection-frame'
import { apiRequest } from '@/lib/client/api'
import { toast } from '@/lib/client/toast'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Assignment } from '@/lib/domain/batches/schema'
import { formatCount } from '@/lib/format'
import { type AssignedField, FIELD_WORDS, type SelectedBatch } from './assigned-fields'

const AssignDialog = dynamic(() => import('./assign-dialog').then((module) => module.AssignDialog), {
  loading: () => null,
})

type Change = { id: string; seen: Assignment; to: Assignment }

const Selected = createContext<{ has: (id: string) => boolean; toggle: (batch: SelectedBatch) => void } | null>(null)

const UNDO_MS = 10_000

/** As many as one request takes. */
const MOST = 200

const valueIn = (batch: SelectedBatch, field: AssignedField) =>
  field === 'due_on'
    ? (batch.due?.on ?? null)
    : ((field === 'operator_id' ? batch.operator : batch.coordinator)?.id ?? null)

/** Around a list or a board of batches: what is selected in it, and what can be done with all of them. */
export function BatchSelection({ isAllowed, children }: { isAllowed: boolean; children: ReactNode }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, SelectedBatch>>(new Map())
  const [field, setField] = useState<AssignedField | null>(null)
  const [left, setLeft] = useState<{ id: string; words: string }[]>([])
  const clear = () => setChosen(new Map())
  const toggle = (batch: SelectedBatch) =>
    setChosen((before) => {
      if (before.has(batch.id)) return new Map([...before].filter(([id]) => id !== batch.id))
      return before.size < MOST ? new Map([...before, [batch.id, batch]]) : before
    })
  const say = (outcome: { left: readonly { batch: { id: string; name: string | null }; reason: string }[] }) =>
    setLeft(
      outcome.left.map(({ batch, reason }) => ({ id: batch.id, words: `“${batch.name ?? batch.id}”: ${reason}` })),
    )
  const undo = useApiMutation({
    request: (batches: Change[]) => apiRequest('POST /api/batches/assign', { body: { batches } }),
    success: ({ changed }) => `Taken back: ${formatCount(changed.length, 'batch', 'batches')}`,
    onSuccess: say,
  })
  const assign = useApiMutation({
    request: (batches: Change[]) => apiRequest('POST /api/batches/assign', { body: { batches } }),
    onSuccess: (outcome, asked) => {
      setField(null)
      clear()
      say(outcome)
      const done = asked.filter(({ id }) => outcome.changed.some((changed) => changed.id === id))
      if (done.length === 0) return
      toast.success(`${formatCount(done.length, 'batch', 'batches')} changed`, {
        duration: UNDO_MS,
        action: {
          label: 'Undo',
          onClick: () => undo.mutate(done.map(({ id, seen, to }) => ({ id, seen: to, to: seen }))),
        },
      })
    },
  })
  if (!isAllowed) return children
  const batches = [...chosen.values()]
  return (
    <Selected value={{ has: (id) => chosen.has(id), toggle }}>
      {left.length > 0 && (
        <Callout
          tone="warn"
          title={`${formatCount(left.length, 'batch', 'batches')} not changed`}
          actions={
            <Button size="sm" onClick={() => setLeft([])}>
              Understood
            </Button>
          }
        >
          <NamedFew items={left} />
        </Callout>
      )}
      {children}
      {batches.length > 0 && (
        <SelectionFrame
          label="Selected batches"
          words={`${formatCount(batches.length, 'batch', 'batches')} selected`}
          clear={clear}
        >
          <span aria-hidden="true" className="text-sm text-ink-muted">
            Change
          </span>
          <Button size="sm" aria-label={`Change ${FIELD_WORDS.operator_id}`} onClick={() => setField('operator_id')}>
            Operator
          </Button>
          <Button
            size="sm"
            aria-label={`Change ${FIELD_WORDS.coordinator_id}`}
            onClick={() => setField('coordinator_id')}
          >
            Coordinator
          </Button>
          <Button size="sm" aria-label={`Change ${FIELD_WORDS.due_on}`} onClick={() => setField('due_on')}>
            Due
          </Button>
        </SelectionFrame>
      )}
      {field && (
        <AssignDialog
          field={field}
          batches={batches}
          isPending={assign.isPending}
          assign={(value) =>
            assign.mutate(
              batches.map((batch) => ({
                id: batch.id,
                seen: { [field]: valueIn(batch, field) },
                to: { [field]: value },
              })),
            )
          }
          close={() => setField(null)}
        />
      )}
    </Selected>
  )
}

/** The box that selects a batch; nothing where batches cannot be changed. Stands above what opens the batch. */
export function SelectBatch({ batch, className }: { batch: SelectedBatch; className?: string }) {
  const selected = use(Selected)
  return (
    selected && (
      <CheckboxBox
        aria-label={`Select ${batch.name}`}
        className={className}
        checked={selected.has(batch.id)}
        onCheckedChange={() => selected.toggle(batch)}
      />
    )
  )
}
