'use client'

import { Pencil } from 'lucide-react'
import type { ReactElement } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RadioGroup } from '@/components/ui/radio-group'
import { apiRequest } from '@/lib/client/api'
import type { ProjectRetention, RetentionRules, ServiceRetention } from '@/lib/domain/retention/schema'
import { LABELS, RETENTION_STATUSES, type RetentionStatus } from '@/lib/vocabulary'

/** Days as they are typed; empty: kept for ever. */
type TypedDays = Record<RetentionStatus, string>
type Values = { of: 'service' | 'project'; files: TypedDays; previews: TypedDays; activity: string }

const typed = (days: number | null) => (days === null ? '' : String(days))
const typedAll = (days: RetentionRules['files']) =>
  Object.fromEntries(RETENTION_STATUSES.map((status) => [status, typed(days[status])])) as TypedDays

const valuesOf = (rules: RetentionRules, of: Values['of']): Values => ({
  of,
  files: typedAll(rules.files),
  previews: typedAll(rules.previews),
  activity: typed(rules.activity),
})

const daysOf = (text: string) => (text.trim() === '' ? null : Number(text))
const daysOfAll = (texts: TypedDays) =>
  Object.fromEntries(RETENTION_STATUSES.map((status) => [status, daysOf(texts[status])])) as RetentionRules['files']

const rulesOf = ({ files, previews, activity }: Values): RetentionRules => ({
  files: daysOfAll(files),
  previews: daysOfAll(previews),
  activity: daysOf(activity),
})

/** For a field: true, or what is wrong with it. */
const isDays = (text: string): true | string => {
  const days = daysOf(text)
  return (
    days === null ||
    (Number.isInteger(days) && days >= 1 && days <= 36_500) ||
    `“${text}” is no number of days. Give a whole number from 1 to 36500, or nothing.`
  )
}

const FIELDS = {
  files: { label: 'Files', show: (days: TypedDays) => shown(days) },
  previews: { label: 'Previews', show: (days: TypedDays) => shown(days) },
  activity: 'Notifications',
}
const shown = (days: TypedDays) => RETENTION_STATUSES.map((status) => days[status] || 'for ever').join(', ')

function RuleFields({ register, formState: { errors } }: UseFormReturn<Values>) {
  return (
    <>
      <p className="text-sm text-ink-muted">Days for which something is kept after the status. Empty: for ever.</p>
      {RETENTION_STATUSES.map((status) => (
        <fieldset key={status} className="grid grid-cols-2 items-end gap-x-4 gap-y-1.5">
          <legend className="mb-1 text-sm font-medium">{LABELS.retentionStatus[status]}</legend>
          {(['files', 'previews'] as const).map((what) => (
            <Field
              key={what}
              label={what === 'files' ? 'Files' : 'Previews and evidence'}
              name={`${what}.${status}`}
              error={errors[what]?.[status]?.message}
            >
              <Input
                {...register(`${what}.${status}`, { validate: isDays })}
                inputMode="numeric"
                autoComplete="off"
                placeholder="For ever"
              />
            </Field>
          ))}
        </fieldset>
      ))}
      <Field
        label="Notifications, in days after they were made"
        name="activity"
        error={errors.activity?.message}
        hint="The audit trail stays in any case."
      >
        <Input
          {...register('activity', { validate: isDays })}
          inputMode="numeric"
          autoComplete="off"
          placeholder="For ever"
          className="w-40"
        />
      </Field>
    </>
  )
}

/** Changes the rules of the service. */
export function ServiceRulesDialog({ retention, etag }: { retention: ServiceRetention; etag: string }) {
  return (
    <FormDialog
      title="Retention rules"
      description="Nothing goes by itself: what is due is shown by a preview first, and removed when you start it."
      trigger={
        <Button variant="secondary">
          <Pencil />
          Edit rules
        </Button>
      }
      edited={{
        resource: retention,
        etag,
        valuesOf: ({ rules }: ServiceRetention) => valuesOf(rules, 'service'),
        fields: FIELDS,
      }}
      request={(values: Values) => apiRequest('PUT /api/retention-rules', { body: { rules: rulesOf(values) } })}
      success="Retention rules saved"
      submitLabel="Save"
    >
      {(form) => <RuleFields {...form} />}
    </FormDialog>
  )
}

/** Gives a project rules of its own, or those of the service. */
export function ProjectRulesDialog({
  projectId,
  retention,
  etag,
  trigger,
}: {
  projectId: string
  retention: ProjectRetention
  etag: string
  trigger: ReactElement
}) {
  return (
    <FormDialog
      title="Retention of this project"
      trigger={trigger}
      edited={{
        resource: retention,
        etag,
        valuesOf: ({ rules, of }: ProjectRetention) => valuesOf(rules, of),
        fields: { of: 'Rules', ...FIELDS },
      }}
      request={(values: Values) =>
        apiRequest('PUT /api/projects/{project_id}/retention', {
          params: { project_id: projectId },
          body: { rules: values.of === 'service' ? null : rulesOf(values) },
        })
      }
      success="Retention of the project saved"
      submitLabel="Save"
    >
      {(form) => (
        <>
          <Controller
            control={form.control}
            name="of"
            render={({ field }) => (
              <RadioGroup
                aria-label="Rules"
                value={field.value}
                onValueChange={field.onChange}
                options={[
                  { value: 'service', label: 'Those of the service' },
                  { value: 'project', label: 'Its own' },
                ]}
              />
            )}
          />
          {form.watch('of') === 'project' && <RuleFields {...form} />}
        </>
      )}
    </FormDialog>
  )
}
