'use client'

import { useRouter } from 'next/navigation'
import { Controller } from 'react-hook-form'
import { DestinationPicker } from '@/components/destinations/destination-picker'
import { EditConflictNotice } from '@/components/forms/edit-conflict'
import { Button } from '@/components/ui/button'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { DescribedCheck } from '@/lib/checks/described'
import type { Preset } from '@/lib/checks/presets'
import { apiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useEditForm } from '@/lib/client/use-edit-form'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { DestinationSummary } from '@/lib/domain/destinations/schema'
import type { Agency } from '@/lib/domain/directory/schema'
import { allowedExtensions } from '@/lib/domain/files/media-types'
import type { MediaCategory } from '@/lib/domain/settings/schema'
import { CategoryFiles } from './category-files'
import { CategoryPreQc } from './category-pre-qc'
import { bodyOf, type CategoryValues, valuesOf } from './category-values'
import { type Simulate, SimulateButton } from './simulate-button'
import { TemplateField } from './template-field'

type Props = {
  category?: MediaCategory
  etag?: string
  checks: readonly DescribedCheck[]
  presets: readonly Preset[]
  /** By whose codes names are tried at first. */
  agency: Agency | null
  destinations: readonly DestinationSummary[]
  /** Tries the checks on the last files, before they are saved. */
  simulate?: Simulate
}

const FIELDS = {
  name: 'Name',
  naming_template: 'Naming template',
  media_types: { label: 'Types', show: (types: readonly string[]) => types.join(', ') },
  max_file_size: 'Largest file',
  max_file_size_unit: 'Unit of the largest file',
  destinations: { label: 'Destinations', show: (ids: readonly string[]) => ids.join(', ') },
  pre_qc: 'Pre-QC',
}

/** Everything a media category holds: how files are named, which are taken, what is checked. */
export function CategoryForm({ category, etag, checks, presets, agency, destinations, simulate }: Props) {
  const router = useRouter()
  const { form, save, submit, conflict } = useEditForm({
    ...(category && etag
      ? { edited: { resource: category, etag, valuesOf, fields: FIELDS } }
      : { defaultValues: valuesOf() }),
    request: (values: CategoryValues) =>
      category
        ? apiRequest('PATCH /api/media-categories/{media_category_id}', {
            params: { media_category_id: category.id },
            body: bodyOf(values),
          })
        : apiRequest('POST /api/media-categories', { body: bodyOf(values) }),
    success: category ? 'Media category saved' : 'Media category created',
    onSuccess: (saved) => {
      if (!category) router.push(`/settings/media-categories/${saved.id}`)
    },
  })
  const { control, formState } = form
  const { errors, isDirty, submitCount } = formState
  useUnsavedGuard(isDirty)
  const extensions = allowedExtensions(form.watch('media_types'))
  const found = listFormErrors(errors).map(({ path, message }) => ({ path: fieldOf(path), message }))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        // What the server refused last time is asked of it anew; only registered fields would be cleared otherwise.
        form.clearErrors()
        return submit(event)
      }}
      className="flex flex-col gap-6"
    >
      <ErrorSummary errors={found} attempt={submitCount} />
      {conflict && <EditConflictNotice conflict={conflict} />}
      <Card>
        <CardBody className="flex flex-col gap-5">
          <Field label="Name" name="name" error={errors.name?.message} className="max-w-md">
            <Input
              {...form.register('name', { required: 'Give the category a name.' })}
              maxLength={200}
              autoComplete="off"
            />
          </Field>
          <Controller
            control={control}
            name="naming_template"
            render={({ field, fieldState }) => (
              <TemplateField
                value={field.value}
                onChange={field.onChange}
                onBlur={field.onBlur}
                error={fieldState.error?.message}
                agency={agency}
                extensions={extensions}
              />
            )}
          />
        </CardBody>
      </Card>
      <CategoryFiles form={form} />
      <Card>
        <CardHeader
          title="Destinations"
          description="Where its files may go: each file is evaluated against these, by what was measured. A batch may choose others."
        />
        <CardBody>
          <Controller
            control={control}
            name="destinations"
            render={({ field }) => (
              <DestinationPicker destinations={destinations} value={field.value} onChange={field.onChange} />
            )}
          />
        </CardBody>
      </Card>
      <CategoryPreQc
        form={form}
        checks={checks}
        presets={presets}
        errors={new Map(found.map(({ path, message }) => [path, message]))}
      />
      <div className="sticky bottom-(--bottombar-height,0px) z-10 -mx-4 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6">
        {isDirty && <span className="mr-auto text-sm text-ink-muted">Not saved yet</span>}
        {isDirty && (
          <Button variant="ghost" onClick={() => form.reset()}>
            Discard
          </Button>
        )}
        {simulate && form.watch('pre_qc.enabled') && (
          <SimulateButton simulate={simulate} checks={form.watch('pre_qc.checks')} />
        )}
        <Button type="submit" variant="primary" loading={save.isPending}>
          {category ? 'Save' : 'Create media category'}
        </Button>
      </div>
    </form>
  )
}

/** An entry of a list (`….sizes.1`) is typed in the field of the whole list. */
const fieldOf = (path: string) => path.replace(/^(pre_qc\.checks\.[^.]+\.thresholds\.[^.]+)\..*$/, '$1')
