'use client'

import { MoreHorizontal, Pencil, ScanEye } from 'lucide-react'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Combobox } from '@/components/ui/combobox'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { LinkButton } from '@/components/ui/link-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { copyErrors, mayMove } from '@/lib/domain/batches/rules'
import type { Batch } from '@/lib/domain/batches/schema'
import { CertificateButton } from './certificate-button'

type Person = { id: string; name: string }
export type BatchPowers = {
  maySubmit: boolean
  mayReview: boolean
  mayUpdate: boolean
  mayCancel: boolean
  mayCertify: boolean
}

type Props = {
  batch: Batch
  etag: string
  powers: BatchPowers
  /** Names of the manifest under which nothing came. */
  missing: readonly string[]
  projectState: 'open' | 'on_hold' | 'closed'
  operators: readonly Person[]
  coordinators: readonly Person[]
}

/** What can be done with the batch now; a button that cannot be pressed says why beside it. */
export function BatchActions({ batch, etag, powers, missing, projectState, operators, coordinators }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'cancel' | 'submit' | null>(null)
  const params = { project_id: batch.project_id, batch_id: batch.id }
  const submit = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/submit', { params }),
    success: `${batch.name} submitted for review`,
  })
  const complete = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/complete-review', { params }),
    success:
      batch.counts.rejected > 0
        ? 'Review complete: the agency is asked for a resupply'
        : 'Review complete: the batch is approved',
  })
  const cancel = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/cancel', { params }),
    success: 'Batch cancelled',
  })

  const whyNotSubmit =
    projectState === 'closed'
      ? 'The project is closed.'
      : projectState === 'on_hold'
        ? 'The project is on hold.'
        : batch.counts.files === 0
          ? 'Add files first.'
          : !batch.operator
            ? 'Assign an operator first.'
            : null
  const isReview = batch.status === 'in_review'
  // Rejected files that nothing replaced would be submitted once more as they are.
  const unreplaced = batch.status === 'awaiting_resupply' ? batch.counts.rejected : 0
  const isComplete = unreplaced === 0 && missing.length === 0
  const whyNotComplete = batch.counts.pending > 0 ? `${batch.counts.pending} still to decide.` : null

  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {batch.counts.files > 0 && (
        <LinkButton
          href={`/projects/${batch.project_id}/batches/${batch.id}/review`}
          variant={isReview && powers.mayReview && whyNotComplete ? 'primary' : 'secondary'}
        >
          <ScanEye />
          {isReview && powers.mayReview ? 'Review' : 'Review closely'}
        </LinkButton>
      )}
      {batch.status === 'approved' && powers.mayCertify && <CertificateButton batch={batch} />}
      {isReview && powers.mayReview && (
        <>
          {whyNotComplete && <span className="text-xs text-ink-subtle">{whyNotComplete}</span>}
          <Button
            variant={whyNotComplete ? 'secondary' : 'primary'}
            disabled={whyNotComplete !== null}
            loading={complete.isPending}
            onClick={() => complete.mutate()}
          >
            Complete review
          </Button>
        </>
      )}
      {powers.maySubmit && mayMove('submit', batch.status) && (
        <>
          {whyNotSubmit && <span className="text-xs text-ink-subtle">{whyNotSubmit}</span>}
          <Button
            variant={isReview || batch.status === 'approved' || unreplaced > 0 ? 'secondary' : 'primary'}
            disabled={whyNotSubmit !== null}
            loading={submit.isPending}
            onClick={() => (isComplete && batch.status !== 'approved' ? submit.mutate() : setDialog('submit'))}
          >
            {batch.round === 0 ? 'Submit for review' : 'Submit again'}
          </Button>
        </>
      )}
      {powers.mayUpdate && projectState !== 'closed' && (
        <Menu trigger={<IconButton label="More for this batch" variant="secondary" icon={<MoreHorizontal />} />}>
          <MenuItem icon={<Pencil />} onClick={() => setDialog('edit')}>
            Edit batch
          </MenuItem>
          {powers.mayCancel && mayMove('cancel', batch.status) && (
            <MenuItem tone="danger" onClick={() => setDialog('cancel')}>
              Cancel batch
            </MenuItem>
          )}
        </Menu>
      )}
      <ConfirmDialog
        open={dialog === 'submit'}
        onOpenChange={(isOpen) => !isOpen && setDialog(null)}
        title={
          batch.status === 'approved'
            ? `Begin a new round of “${batch.name}”?`
            : unreplaced > 0
              ? `Submit “${batch.name}” without the resupply?`
              : `Submit “${batch.name}” without ${missing.length === 1 ? 'a file' : `${missing.length} files`} of the manifest?`
        }
        confirmLabel={batch.round === 0 ? 'Submit for review' : 'Submit again'}
        tone="primary"
        onConfirm={() => submit.mutateAsync()}
      >
        {batch.status === 'approved' && (
          <p>It is approved. It goes back into review, and its certificate holds for the earlier round only.</p>
        )}
        {unreplaced > 0 && (
          <p>
            {unreplaced === 1 ? '1 rejected file has' : `${unreplaced} rejected files have`} no new version yet. Upload
            links take nothing while the batch is in review.
          </p>
        )}
        {missing.length > 0 && (
          <>
            <p className="mt-2">Not here yet:</p>
            <ul className="mt-1 list-disc pl-5">
              {missing.slice(0, MOST_NAMED).map((name) => (
                <li key={name} className="wrap-anywhere">
                  {name}
                </li>
              ))}
              {missing.length > MOST_NAMED && <li>and {missing.length - MOST_NAMED} more</li>}
            </ul>
          </>
        )}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'cancel'}
        onOpenChange={(isOpen) => !isOpen && setDialog(null)}
        title={`Cancel “${batch.name}”?`}
        confirmLabel="Cancel batch"
        tone="danger"
        onConfirm={() => cancel.mutateAsync()}
      >
        It takes no more files and cannot be submitted. Its {batch.counts.files}{' '}
        {batch.counts.files === 1 ? 'file stays' : 'files stay'} readable.
      </ConfirmDialog>
      <EditDialog
        batch={batch}
        etag={etag}
        operators={operators}
        coordinators={coordinators}
        open={dialog === 'edit'}
        onOpenChange={(isOpen) => setDialog(isOpen ? 'edit' : null)}
      />
    </div>
  )
}

/** Missing files the dialog names; the manifest beside it has them all. */
const MOST_NAMED = 10

type Values = {
  name: string
  operator_id: string | null
  coordinator_id: string | null
  naming_template: string
  required_copy: string
  due_on: string
}

const phrasesOf = (text: string) =>
  text
    .split('\n')
    .map((phrase) => phrase.trim())
    .filter(Boolean)

const valuesOf = (batch: Batch): Values => ({
  name: batch.name,
  operator_id: batch.operator?.id ?? null,
  coordinator_id: batch.coordinator?.id ?? null,
  naming_template: batch.naming_template ?? '',
  required_copy: batch.required_copy.join('\n'),
  due_on: batch.due?.on ?? '',
})

function EditDialog({
  batch,
  etag,
  operators,
  coordinators,
  ...opening
}: Pick<Props, 'batch' | 'etag' | 'operators' | 'coordinators'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const named = (people: readonly Person[]) => (id: string | null) => people.find((each) => each.id === id)?.name ?? ''
  return (
    <FormDialog
      {...opening}
      title="Edit batch"
      edited={{
        resource: batch,
        etag,
        valuesOf,
        fields: {
          name: 'Name',
          operator_id: { label: 'Operator', show: named(operators) },
          coordinator_id: { label: 'Coordinator', show: named(coordinators) },
          naming_template: 'Naming template',
          required_copy: 'Required copy',
          due_on: 'Due',
        },
      }}
      request={({ naming_template, required_copy, due_on, ...body }: Values) =>
        apiRequest('PATCH /api/projects/{project_id}/batches/{batch_id}', {
          params: { project_id: batch.project_id, batch_id: batch.id },
          body: {
            ...body,
            naming_template: naming_template.trim() || null,
            required_copy: phrasesOf(required_copy),
            due_on: due_on || null,
          },
        })
      }
      success="Batch saved"
      submitLabel="Save"
    >
      {(form) => <EditFields form={form} operators={operators} coordinators={coordinators} />}
    </FormDialog>
  )
}

function EditFields({
  form,
  operators,
  coordinators,
}: Pick<Props, 'operators' | 'coordinators'> & { form: UseFormReturn<Values> }) {
  const { errors } = form.formState
  const person = (name: 'operator_id' | 'coordinator_id', people: readonly Person[]) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Combobox
          options={people.map(({ id, name: label }) => ({ value: id, label }))}
          value={field.value}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          placeholder="No one yet"
          clearable
        />
      )}
    />
  )
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Give the batch a name.' })} maxLength={200} />
      </Field>
      <Field label="Operator" name="operator_id" error={errors.operator_id?.message}>
        {person('operator_id', operators)}
      </Field>
      <Field label="Coordinator" name="coordinator_id" error={errors.coordinator_id?.message}>
        {person('coordinator_id', coordinators)}
      </Field>
      <Field
        label="Due"
        name="due_on"
        optional
        hint="The last day on which it should be approved, UTC."
        error={errors.due_on?.message}
      >
        <Input {...form.register('due_on')} type="date" />
      </Field>
      <Field
        label="Naming template"
        name="naming_template"
        optional
        hint="Empty: the media category's."
        error={errors.naming_template?.message}
      >
        <Input {...form.register('naming_template')} className="font-mono" spellCheck={false} />
      </Field>
      <Field
        label="Required copy"
        name="required_copy"
        optional
        hint="Words every image, video and PDF has to show, one phrase a line: a claim, a price, the small print. Pre-QC reads the files and marks where each phrase is, or what stands in its place. Case, line breaks and punctuation make no difference. Submit again to have files checked that were checked before."
        error={errors.required_copy?.message}
      >
        <Textarea
          {...form.register('required_copy', {
            validate: (text) => copyErrors(phrasesOf(text))[0]?.message ?? true,
          })}
          rows={4}
        />
      </Field>
    </>
  )
}
