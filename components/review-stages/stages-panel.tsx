'use client'

import { Ban, FastForward, Plus } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { StatusBadge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field, FieldGroup } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Section } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { ReviewStage } from '@/lib/domain/review-stages/schema'
import { LABELS, STAGE_PARTIES, type StageNeed, type StageParty, type StageState } from '@/lib/vocabulary'

type Path = { project_id: string; batch_id: string }
type Person = { id: string; name: string }

const TONES: Record<StageState, Tone> = {
  waiting: 'neutral',
  open: 'info',
  done: 'pass',
  skipped: 'neutral',
  withdrawn: 'neutral',
}

/** The stages of a review in their order: where the batch waits, for whom and since when. */
export function StagesPanel({
  path,
  stages,
  people,
  mayManage,
}: {
  path: Path
  stages: readonly ReviewStage[]
  /** Members of the project who can take part. */
  people: readonly Person[]
  mayManage: boolean
}) {
  return (
    <Section title="Review stages" actions={mayManage && <NewStageDialog path={path} people={people} />}>
      {stages.length === 0 ? (
        <p className="text-sm text-ink-muted">
          None: the batch is approved by its operator. With stages (team, brand, legal, client) it is once each has
          decided.
        </p>
      ) : (
        <ol className="divide-y divide-line rounded-xl border border-line bg-surface">
          {stages.map((stage) => (
            <Stage key={stage.id} path={path} stage={stage} mayManage={mayManage} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function Stage({ path, stage, mayManage }: { path: Path; stage: ReviewStage; mayManage: boolean }) {
  const params = { ...path, stage_id: stage.id }
  const withdraw = useApiMutation({
    request: () => apiRequest('DELETE /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}', { params }),
    success: 'Stage withdrawn',
  })
  const people = [...stage.users, ...stage.guests].map(({ name }) => name)
  const { files, approved, rejected } = stage.counts
  const isRunning = stage.state !== 'skipped' && stage.state !== 'withdrawn'
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 text-sm font-medium wrap-anywhere">
          <span className="text-ink-subtle tabular-nums">{stage.position}.</span> {stage.name}
        </p>
        <StatusBadge tone={stage.state === 'done' && rejected > 0 ? 'fail' : TONES[stage.state]}>
          {LABELS.stageState[stage.state]}
        </StatusBadge>
      </div>
      <p className="text-xs text-ink-subtle wrap-anywhere">
        {LABELS.stageParty[stage.party]} · {stage.needs === 'all' ? 'all of' : 'any of'}{' '}
        {people.length > 0 ? people.join(', ') : 'No reviewers yet: add people, or make a review link for it'}
      </p>
      {isRunning && (
        <p className="text-xs text-ink-muted tabular-nums">
          {approved} approved, {rejected} rejected of {files}
          {stage.open_since && (
            <>
              {' '}
              · waits since <RelativeTime value={stage.open_since} />
            </>
          )}
        </p>
      )}
      {isRunning && stage.due_at && (
        <p className={stage.is_late ? 'text-xs font-medium text-fail-ink' : 'text-xs text-ink-subtle'}>
          {stage.is_late ? 'Late: was due' : 'Due'} <DateTime value={stage.due_at} />
        </p>
      )}
      {stage.skipped && (
        <p className="text-xs text-ink-muted wrap-anywhere">
          Skipped by {stage.skipped.by.name}: {stage.skipped.reason}
        </p>
      )}
      {mayManage && isRunning && (
        <div className="-ml-1 flex items-center gap-1">
          <FormDialog
            trigger={<IconButton label={`Skip ${stage.name}`} icon={<FastForward />} />}
            title={`Skip “${stage.name}”?`}
            description="The batch goes on without it. The reason stays on record."
            defaultValues={{ reason: '' }}
            request={(body: { reason: string }) =>
              apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/stages/{stage_id}/skip', { params, body })
            }
            success="Stage skipped"
            submitLabel="Skip stage"
          >
            {(form) => (
              <Field label="Reason" name="reason" error={form.formState.errors.reason?.message}>
                <Textarea
                  {...form.register('reason', { validate: (said) => said.trim() !== '' || 'Say why it is skipped.' })}
                  rows={2}
                  maxLength={500}
                />
              </Field>
            )}
          </FormDialog>
          <ConfirmDialog
            title={`Withdraw “${stage.name}”?`}
            confirmLabel="Withdraw stage"
            tone="danger"
            onConfirm={() => withdraw.mutateAsync()}
            trigger={<IconButton label={`Withdraw ${stage.name}`} icon={<Ban />} />}
          >
            Nothing more can be decided at it. What was decided stays on record. This cannot be undone.
          </ConfirmDialog>
        </div>
      )}
    </li>
  )
}

type Values = {
  name: string
  party: StageParty
  position: string
  needs: StageNeed
  due: string
  user_ids: string[]
}

function NewStageDialog({ path, people }: { path: Path; people: readonly Person[] }) {
  return (
    <FormDialog
      trigger={
        <Button variant="secondary" size="sm">
          <Plus />
          New stage
        </Button>
      }
      title="New stage"
      description="The batch is approved only once every stage is done or skipped."
      defaultValues={
        {
          name: '',
          party: 'internal',
          position: '',
          needs: 'any',
          due: '',
          user_ids: [],
        } satisfies Values as Values
      }
      request={({ position, due, ...values }: Values) =>
        apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/stages', {
          params: path,
          body: {
            ...values,
            ...(position && { position: Number(position) }),
            ...(due && { due_at: new Date(due).toISOString() }),
          },
        })
      }
      success="Stage added"
      submitLabel="Add stage"
    >
      {(form) => {
        const { errors } = form.formState
        return (
          <>
            <Field label="Name" name="name" error={errors.name?.message}>
              <Input
                {...form.register('name', { validate: (name) => name.trim() !== '' || 'Name the stage.' })}
                maxLength={120}
                autoComplete="off"
              />
            </Field>
            <Controller
              control={form.control}
              name="party"
              render={({ field }) => (
                <Field label="Who decides" name="party">
                  <Select<StageParty>
                    value={field.value}
                    onValueChange={field.onChange}
                    options={STAGE_PARTIES.map((value) => ({ value, label: LABELS.stageParty[value] }))}
                  />
                </Field>
              )}
            />
            <Field
              label="Place in the order"
              name="position"
              optional
              hint="After all others unless you give a number. Stages with the same number run beside each other."
              error={errors.position?.message}
            >
              <Input
                {...form.register('position', {
                  validate: (value) =>
                    value === '' ||
                    (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 1000) ||
                    'Give a whole number from 1 to 1,000.',
                })}
                inputMode="numeric"
                className="w-24"
              />
            </Field>
            <Controller
              control={form.control}
              name="needs"
              render={({ field }) => (
                <div className="flex flex-col gap-1.5">
                  <p className="text-sm font-medium">A file passes when</p>
                  <SegmentedControl<StageNeed>
                    label="A file passes when"
                    value={field.value}
                    onValueChange={field.onChange}
                    options={[
                      { value: 'any', label: 'any of them approves' },
                      { value: 'all', label: 'all of them approve' },
                    ]}
                  />
                </div>
              )}
            />
            <Field label="Due" name="due_at" optional error={errors.due?.message}>
              <Input {...form.register('due')} type="datetime-local" className="w-60" />
            </Field>
            {people.length > 0 && (
              <Controller
                control={form.control}
                name="user_ids"
                render={({ field }) => (
                  <FieldGroup legend="People of the project">
                    {people.map(({ id, name }) => (
                      <Checkbox
                        key={id}
                        label={name}
                        checked={field.value.includes(id)}
                        onCheckedChange={(isIn) =>
                          field.onChange(isIn ? [...field.value, id] : field.value.filter((one) => one !== id))
                        }
                      />
                    ))}
                  </FieldGroup>
                )}
              />
            )}
          </>
        )
      }}
    </FormDialog>
  )
}
