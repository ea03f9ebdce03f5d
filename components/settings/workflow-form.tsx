'use client'

import { ArrowDown, ArrowUp, ListChecks, Plus, Trash2 } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardFooter } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { toast } from '@/lib/client/toast'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { ApprovalWorkflow } from '@/lib/domain/cost-estimates/schema'
import { ROLES, type Role, roleOrHigher } from '@/lib/vocabulary'

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export type WorkflowValues = {
  steps: { name: string; role: Role | null; user_id: string | null; above: number | null }[]
  allow_own: boolean
}
type Step = { key: string; name: string; who: string; above: string }

let made = 0
const newStep = (more: Partial<Step> = {}): Step => ({
  key: `step-${++made}`,
  name: '',
  who: 'role:coordinator',
  above: '',
  ...more,
})

const stepsOf = ({ steps }: ApprovalWorkflow): Step[] =>
  steps.map((step) =>
    newStep({
      name: step.name,
      who: step.user ? `user:${step.user.id}` : `role:${step.role ?? 'administrator'}`,
      above: step.above === null ? '' : String(step.above),
    }),
  )

const valuesOf = (steps: readonly Step[], allowOwn: boolean): WorkflowValues => ({
  steps: steps.map(({ name, who, above }) => ({
    name,
    role: who.startsWith('role:') ? (who.slice(5) as Role) : null,
    user_id: who.startsWith('user:') ? who.slice(5) : null,
    above: above.trim() === '' ? null : Number(above),
  })),
  allow_own: allowOwn,
})

/** The steps of the approval, each a role or a person, optionally only above an amount. */
export function WorkflowForm({
  workflow,
  people,
  save,
}: {
  workflow: ApprovalWorkflow
  people: readonly { id: string; name: string }[]
  save: (values: WorkflowValues) => Promise<{ message: string } | null>
}) {
  const [steps, setSteps] = useState(() => stepsOf(workflow))
  const [allowOwn, setAllowOwn] = useState(workflow.allow_own)
  const [saved, setSaved] = useState(() => JSON.stringify(valuesOf(steps, allowOwn)))
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isPending, start] = useTransition()
  const values = valuesOf(steps, allowOwn)
  const isChanged = JSON.stringify(values) !== saved
  useUnsavedGuard(isChanged)

  const change = (at: number, more: Partial<Step>) =>
    setSteps(steps.map((step, index) => (index === at ? { ...step, ...more } : step)))
  const move = (from: number, to: number) => {
    const step = steps[from]
    if (!step || to < 0 || to >= steps.length) return
    const others = steps.filter((_, index) => index !== from)
    setSteps([...others.slice(0, to), step, ...others.slice(to)])
  }
  const options = [
    ...ROLES.map((role) => ({ value: `role:${role}`, label: capital(roleOrHigher(role)) })),
    ...people.map(({ id, name }) => ({ value: `user:${id}`, label: name })),
  ]

  async function submit() {
    const refused = await save(values).catch(() => ({
      message: 'Greenroom could not be reached. Check your connection, then try again.',
    }))
    setRefusal(refused?.message ?? null)
    if (refused) return
    setSaved(JSON.stringify(values))
    toast.success('Approval saved')
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        start(submit)
      }}
    >
      <Card>
        {refusal && (
          <CardBody className="pb-0">
            <Callout tone="fail" title="Not saved">
              {refusal}
            </Callout>
          </CardBody>
        )}
        {steps.length === 0 ? (
          <EmptyState
            icon={<ListChecks />}
            title="No approval inside"
            action={<Button onClick={() => setSteps([newStep()])}>Add a step</Button>}
          >
            Estimates go directly to the client when they are submitted.
          </EmptyState>
        ) : (
          <ol className="divide-y divide-line">
            {steps.map((step, index) => (
              <li key={step.key} className="grid gap-3 px-5 py-4 sm:grid-cols-[1fr_1fr_9rem_auto] sm:items-end">
                <Field label={`Step ${index + 1}`}>
                  <Input
                    value={step.name}
                    onValueChange={(name) => change(index, { name })}
                    placeholder="Production, Finance …"
                    maxLength={100}
                    autoComplete="off"
                  />
                </Field>
                <Field label="Who approves">
                  <Select options={options} value={step.who} onValueChange={(who) => change(index, { who })} />
                </Field>
                <Field label="Only above (EUR)" optional>
                  <Input
                    value={step.above}
                    onValueChange={(above) => change(index, { above })}
                    inputMode="decimal"
                    placeholder="any total"
                  />
                </Field>
                <span className="flex">
                  <IconButton
                    label={`Move step ${index + 1} up`}
                    icon={<ArrowUp />}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    label={`Move step ${index + 1} down`}
                    icon={<ArrowDown />}
                    disabled={index === steps.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    label={`Remove step ${index + 1}`}
                    icon={<Trash2 />}
                    onClick={() => setSteps(steps.filter((_, at) => at !== index))}
                  />
                </span>
              </li>
            ))}
          </ol>
        )}
        {steps.length > 0 && (
          <CardBody className="flex flex-wrap items-center justify-between gap-3 border-t border-line">
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={allowOwn}
                onChange={(event) => setAllowOwn(event.target.checked)}
                className="size-4 accent-accent"
              />
              People may approve what they wrote or submitted themselves
            </label>
            <Button size="sm" onClick={() => setSteps([...steps, newStep()])} disabled={steps.length >= 10}>
              <Plus />
              Add a step
            </Button>
          </CardBody>
        )}
        <CardFooter>
          <span aria-live="polite">{isChanged ? 'Changes not saved yet' : 'All changes saved'}</span>
          <Button type="submit" variant="primary" loading={isPending} disabled={!isChanged}>
            Save
          </Button>
        </CardFooter>
      </Card>
    </form>
  )
}
