'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { parseManifest } from '@/components/batches/manifest-lines'
import { phrasesOf } from '@/components/batches/phrases'
import { RequiredCopyField, requiredCopyRule } from '@/components/batches/required-copy-field'
import { CheckboxField } from '@/components/forms/checkbox-field'
import { FormDialog } from '@/components/forms/form-dialog'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { expiryOf, type Lifetime, LifetimeField } from '@/components/forms/works-for'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { ApiProblem, api, apiRequest } from '@/lib/client/api'
import { batchesOf, MEDIA_CATEGORIES, peopleWho } from '@/lib/client/choices'
import { toast } from '@/lib/client/toast'
import { toastProblem } from '@/lib/client/use-api-mutation'
import type { Project } from '@/lib/domain/projects/schema'
import { formatCount } from '@/lib/format'
import { type TakenOver, takeOver } from './same-as'

type Person = { id: string; name: string }
export type NewBatch = {
  project: Project
  /** Who is chosen at first: its creator, and the operator who reviewed the batch before. */
  coordinator: Person
  operator: Person | null
}
type Values = Omit<TakenOver, 'media_category_id'> & {
  name: string
  media_category_id: string | null
  /** Whether an upload link is created with it, and for how many days it works. */
  link: boolean
  lifetime: Lifetime
}

/** Above it stands the way to the form for many, which most pass by. */
const firstField = () => document.querySelector<HTMLElement>('[role=dialog] input')

/** Everything a batch needs before the agency can send: people, day, expected files, required copy, link. */
export function BatchDialog({
  opening: [isOpen, setOpen],
  startTable,
  ...props
}: NewBatch & {
  opening: [boolean, (isOpen: boolean) => void]
  /** Leads to the form for many batches. */
  startTable: () => void
}) {
  const { project, coordinator, operator } = props
  const router = useRouter()
  return (
    <FormDialog
      open={isOpen}
      onOpenChange={setOpen}
      title="New batch"
      description={`In ${project.name}`}
      defaultValues={{
        name: '',
        media_category_id: project.media_category?.id ?? null,
        operator_id: operator?.id ?? null,
        coordinator_id: coordinator.id,
        naming_template: null,
        destinations: null,
        due_on: '',
        manifest: '',
        required_copy: '',
        link: true,
        lifetime: '7',
      }}
      request={({ due_on, manifest, required_copy, link: _link, lifetime: _lifetime, ...values }: Values) =>
        apiRequest('POST /api/projects/{project_id}/batches', {
          params: { project_id: project.id },
          body: {
            ...values,
            due_on: due_on || null,
            manifest: parseManifest(manifest),
            required_copy: phrasesOf(required_copy),
          },
        })
      }
      success="Batch created"
      onSuccess={async (batch, { link, lifetime }) => {
        // The batch is there, whatever becomes of its link: its page offers to create one.
        if (link) {
          await api('POST /api/upload-links', { body: { batch_id: batch.id, ...expiryOf(lifetime) } }).catch(
            (error: Error) => toast.error(`The upload link could not be created: ${error.message}`),
          )
        }
        router.push(`/projects/${project.id}/batches/${batch.id}`)
      }}
      submitLabel="Create batch"
      initialFocus={firstField}
    >
      {(form) => (
        <>
          <p className="text-sm text-ink-muted">
            Several at once?{' '}
            <button type="button" className="link" onClick={startTable}>
              Create batches from a spreadsheet
            </button>
          </p>
          <BatchFields {...props} form={form} />
        </>
      )}
    </FormDialog>
  )
}

const SOURCES = {
  media_category_id: MEDIA_CATEGORIES,
  operator_id: peopleWho('operator'),
  coordinator_id: peopleWho('coordinator'),
}

function BatchFields({ form, project, coordinator, operator }: NewBatch & { form: UseFormReturn<Values> }) {
  const { errors } = form.formState
  const [manifest, hasLink] = useWatch({ control: form.control, name: ['manifest', 'link'] })
  const expected = parseManifest(manifest).length
  const [chosen, setChosen] = useState<Record<keyof typeof SOURCES, Person | null>>({
    media_category_id: project.media_category,
    operator_id: operator,
    coordinator_id: coordinator,
  })
  const pick = (name: keyof typeof SOURCES, placeholder: string, required?: string) => (
    <Controller
      control={form.control}
      name={name}
      rules={{ required }}
      render={({ field }) => (
        <RemoteCombobox
          source={SOURCES[name]}
          chosen={chosen[name]}
          value={field.value}
          onValueChange={field.onChange}
          onBlur={field.onBlur}
          placeholder={placeholder}
          clearable
        />
      )}
    />
  )
  return (
    <>
      {project.counts.batches > 0 && <SameAs form={form} projectId={project.id} setChosen={setChosen} />}
      <Field label="Name" name="name" error={errors.name?.message}>
        <Input {...form.register('name', { required: 'Give the batch a name.' })} maxLength={200} autoComplete="off" />
      </Field>
      <Field
        label="Media category"
        name="media_category_id"
        error={errors.media_category_id?.message}
        hint="Says how files are named, which types are taken and what is checked."
      >
        {pick('media_category_id', 'Choose a category', 'Choose a media category.')}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Operator"
          name="operator_id"
          optional
          error={errors.operator_id?.message}
          hint="Reviews the files; needed before it is submitted."
        >
          {pick('operator_id', 'No one yet')}
        </Field>
        <Field
          label="Coordinator"
          name="coordinator_id"
          optional
          error={errors.coordinator_id?.message}
          hint="Is in charge, and notified of what arrives."
        >
          {pick('coordinator_id', 'No one yet')}
        </Field>
      </div>
      <Field
        label="Due"
        name="due_on"
        optional
        hint="The last day on which it should be approved, UTC."
        error={errors.due_on?.message}
      >
        <Input {...form.register('due_on')} type="date" className="w-44" />
      </Field>
      <Field
        label="Expected files"
        name="manifest"
        optional
        hint={
          expected > 0
            ? `${formatCount(expected, 'file')}. Other names are refused.`
            : 'One name a line, with a note after a tab or comma; pasted from a spreadsheet, too. Empty: any name that follows the convention.'
        }
        error={errors.manifest?.message}
      >
        <Textarea {...form.register('manifest')} rows={3} spellCheck={false} className="font-mono" />
      </Field>
      <RequiredCopyField
        {...form.register('required_copy', requiredCopyRule)}
        hint="Words every image, video and PDF has to show, one phrase a line."
        error={errors.required_copy?.message}
        rows={2}
      />
      <CheckboxField control={form.control} name="link" label="Create an upload link for the agency" />
      {hasLink && <LifetimeField control={form.control} name="lifetime" days={[3, 7, 30]} />}
    </>
  )
}

/** Fills the form with what an earlier batch of the project was created with; everything can be changed after. */
function SameAs({
  form,
  projectId,
  setChosen,
}: {
  form: UseFormReturn<Values>
  projectId: string
  setChosen: (people: Record<keyof typeof SOURCES, Person | null>) => void
}) {
  const [source, setSource] = useState<string | null>(null)
  const [taken, setTaken] = useState<TakenOver | null>(null)
  const latest = useRef<string | null>(null)
  async function choose(batch_id: string | null) {
    latest.current = batch_id
    setSource(batch_id)
    setTaken(null)
    if (!batch_id) {
      // Neither is seen in the form: without the batch they came from they are not meant.
      form.setValue('naming_template', null)
      form.setValue('destinations', null)
      return
    }
    const params = { project_id: projectId, batch_id }
    try {
      const [batch, manifest, { destinations }] = await Promise.all([
        api('GET /api/projects/{project_id}/batches/{batch_id}', { params }),
        api('GET /api/projects/{project_id}/batches/{batch_id}/manifest', { params }),
        api('GET /api/destinations'),
      ])
      if (latest.current !== batch_id) return
      const withdrawn = destinations.filter(({ withdrawn_at }) => withdrawn_at !== null).map(({ id }) => id)
      const values = takeOver(batch, manifest, withdrawn, Date.now())
      setChosen({
        media_category_id: batch.media_category,
        operator_id: batch.operator,
        coordinator_id: batch.coordinator,
      })
      for (const [name, value] of Object.entries(values))
        form.setValue(name as keyof TakenOver, value, { shouldDirty: true })
      form.clearErrors()
      setTaken(values)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      toastProblem(error)
    }
  }
  return (
    <Field
      label="Same as"
      name="same_as"
      optional
      hint={
        taken
          ? wordsOf(taken)
          : 'An earlier batch: its people, category, required copy, destinations, expected files and time until it is due.'
      }
    >
      <RemoteCombobox
        source={batchesOf(projectId)}
        value={source}
        onValueChange={(value) => void choose(value)}
        placeholder="Begin with an empty form"
        emptyText="No earlier batch"
        clearable
      />
    </Field>
  )
}

/** What was taken over and is not seen in a field of its own. */
const wordsOf = ({ naming_template, destinations }: TakenOver) =>
  [
    'Taken over; change below what differs.',
    naming_template && `Names follow ${naming_template}.`,
    destinations && `${formatCount(destinations.length, 'destination')} of that batch.`,
  ]
    .filter(Boolean)
    .join(' ')
