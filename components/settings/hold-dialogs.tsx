'use client'

import { Lock } from 'lucide-react'
import { Controller } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { RadioGroup } from '@/components/ui/radio-group'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { AGENCIES, PROJECTS } from '@/lib/client/choices'
import type { LegalHold } from '@/lib/domain/retention/schema'

type Values = { on: 'project' | 'agency'; project_id: string; agency_id: string; reason: string }

/** Puts a project or an agency under legal hold. */
export function SetHoldDialog() {
  return (
    <FormDialog
      title="Set a legal hold"
      description="Nothing of the project is deleted until the hold is lifted: no file, preview, comment or estimate."
      trigger={
        <Button variant="primary">
          <Lock />
          Set a legal hold
        </Button>
      }
      defaultValues={{ on: 'project', project_id: '', agency_id: '', reason: '' }}
      request={({ on, reason, ...ids }: Values) =>
        apiRequest('POST /api/legal-holds', {
          body: on === 'project' ? { project_id: ids.project_id, reason } : { agency_id: ids.agency_id, reason },
        })
      }
      success="Legal hold set"
      submitLabel="Set the hold"
    >
      {({ register, control, watch, formState: { errors } }) => (
        <>
          <Controller
            control={control}
            name="on"
            render={({ field }) => (
              <RadioGroup
                aria-label="What it is on"
                value={field.value}
                onValueChange={field.onChange}
                options={[
                  { value: 'project', label: 'A project' },
                  { value: 'agency', label: 'An agency', description: 'All its projects, also those to come' },
                ]}
              />
            )}
          />
          {watch('on') === 'project' ? (
            <Field label="Project" name="project_id" error={errors.project_id?.message}>
              <Controller
                key="project"
                control={control}
                name="project_id"
                rules={{ required: 'Choose the project.' }}
                render={({ field }) => (
                  <RemoteCombobox
                    source={PROJECTS}
                    value={field.value || null}
                    onValueChange={(value) => field.onChange(value ?? '')}
                    onBlur={field.onBlur}
                    placeholder="Find a project"
                  />
                )}
              />
            </Field>
          ) : (
            <Field label="Agency" name="agency_id" error={errors.agency_id?.message}>
              <Controller
                key="agency"
                control={control}
                name="agency_id"
                rules={{ required: 'Choose the agency.' }}
                render={({ field }) => (
                  <RemoteCombobox
                    source={AGENCIES}
                    value={field.value || null}
                    onValueChange={(value) => field.onChange(value ?? '')}
                    onBlur={field.onBlur}
                    placeholder="Find an agency"
                  />
                )}
              />
            </Field>
          )}
          <Field
            label="Reason"
            name="reason"
            error={errors.reason?.message}
            hint="Shown to administrators only, and kept in the audit trail."
          >
            <Textarea {...register('reason', { required: 'Say why.' })} maxLength={2000} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** Lifts a hold, with the reason. */
export function LiftHoldDialog({ hold }: { hold: LegalHold }) {
  const subject = (hold.project ?? hold.agency)?.name ?? ''
  return (
    <FormDialog
      title={`Lift the legal hold on “${subject}”?`}
      description="What is under no other hold may be deleted again."
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Lift the hold on ${subject}`}>
          Lift
        </Button>
      }
      defaultValues={{ reason: '' }}
      request={(body: { reason: string }) =>
        apiRequest('POST /api/legal-holds/{hold_id}/lift', { params: { hold_id: hold.id }, body })
      }
      success="Legal hold lifted"
      submitLabel="Lift the hold"
    >
      {({ register, formState: { errors } }) => (
        <Field label="Reason" name="reason" error={errors.reason?.message} hint="Kept in the audit trail.">
          <Textarea {...register('reason', { required: 'Say why.' })} maxLength={2000} />
        </Field>
      )}
    </FormDialog>
  )
}
