'use client'

import { useRouter } from 'next/navigation'
import { Controller } from 'react-hook-form'
import { toast } from 'sonner'
import { EditConflictNotice } from '@/components/forms/edit-conflict'
import { Button } from '@/components/ui/button'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { DescribedCheck } from '@/lib/checks/described'
import type { Preset } from '@/lib/checks/presets'
import { apiRequest } from '@/lib/client/api'
import { listFormErrors } from '@/lib/client/form-errors'
import { useEditForm } from '@/lib/client/use-edit-form'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import type { Agency, Campaign } from '@/lib/domain/directory/schema'
import { allowedExtensions, MEDIA_TYPES } from '@/lib/domain/files/media-types'
import type { MediaCategory } from '@/lib/domain/settings/schema'
import { bodyOf, type CategoryValues, type ChecksSettings, SIZE_UNITS, valuesOf } from './category-values'
import { CheckList } from './check-settings'
import { MediaTypePicker } from './media-type-picker'
import { type Simulate, SimulateButton } from './simulate-button'
import { TemplateField } from './template-field'

type Props = {
  category?: MediaCategory
  etag?: string
  checks: readonly DescribedCheck[]
  presets: readonly Preset[]
  agencies: readonly Agency[]
  campaigns: readonly Campaign[]
  /** Tries the checks on the last files, before they are saved. */
  simulate?: Simulate
}

const FIELDS = {
  name: 'Name',
  naming_template: 'Naming template',
  media_types: { label: 'Types', show: (types: readonly string[]) => types.join(', ') },
  max_file_size: 'Largest file',
  max_file_size_unit: 'Unit of the largest file',
  pre_qc: 'Pre-QC',
}

/** Everything a media category holds: how files are named, which are taken, what is checked. */
export function CategoryForm({ category, etag, checks, presets, agencies, campaigns, simulate }: Props) {
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
  const found = listFormErrors(errors).map(({ path, message }) => ({ path: fieldOf(path), message }))
  const mediaTypes = form.watch('media_types')
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
                agencies={agencies}
                campaigns={campaigns}
                extensions={allowedExtensions(mediaTypes)}
              />
            )}
          />
        </CardBody>
      </Card>
      <Card>
        <CardHeader
          title="Which files are taken"
          description="Evaluated by content, not by name. With nothing chosen every type is taken that can be evaluated."
        />
        <CardBody className="flex flex-col gap-6">
          <Controller
            control={control}
            name="media_types"
            render={({ field }) => <MediaTypePicker value={field.value} onChange={field.onChange} />}
          />
          <div className="flex items-end gap-2">
            <Field
              label="Largest file"
              name="max_file_size"
              optional
              error={errors.max_file_size?.message}
              className="w-48"
            >
              <Input
                {...form.register('max_file_size', {
                  validate: (text) =>
                    text.trim() === '' ||
                    Number(text) > 0 ||
                    `“${text}” is no size. Give a number above 0, or nothing.`,
                })}
                inputMode="decimal"
                autoComplete="off"
                placeholder="The service’s limit"
              />
            </Field>
            <Controller
              control={control}
              name="max_file_size_unit"
              render={({ field }) => (
                <Select
                  aria-label="Unit of the largest file"
                  className="w-20"
                  value={field.value}
                  onValueChange={field.onChange}
                  options={SIZE_UNITS.map((unit) => ({ value: unit, label: unit }))}
                />
              )}
            />
          </div>
        </CardBody>
      </Card>
      <Card>
        <CardHeader
          title="Pre-QC"
          description="What is checked when a batch is submitted. A change makes a new version; results keep the version they were made with."
        />
        <CardBody className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <Controller
            control={control}
            name="pre_qc.enabled"
            render={({ field }) => (
              <Switch
                label="Check files of this category"
                checked={field.value}
                onCheckedChange={field.onChange}
                className="items-center max-sm:w-full"
              />
            )}
          />
          {form.watch('pre_qc.enabled') && (
            <Controller
              control={control}
              name="pre_qc.depth"
              render={({ field }) => (
                <Select
                  aria-label="How video and audio are read"
                  value={field.value ?? 'full'}
                  onValueChange={field.onChange}
                  options={[
                    { value: 'full', label: 'In full: every frame and sample' },
                    { value: 'quick', label: 'Quick: packets and key frames' },
                  ]}
                />
              )}
            />
          )}
          {form.watch('pre_qc.enabled') && (
            <PresetSelect
              presets={presets}
              apply={(next) => {
                const before = form.getValues('pre_qc.checks')
                form.setValue('pre_qc.checks', next.checks, { shouldDirty: true })
                toast(`The checks are those of “${next.label}”`, {
                  action: {
                    label: 'Undo',
                    onClick: () => form.setValue('pre_qc.checks', before, { shouldDirty: true }),
                  },
                })
              }}
            />
          )}
        </CardBody>
        {form.watch('pre_qc.enabled') ? (
          <Controller
            control={control}
            name="pre_qc.checks"
            render={({ field }) => (
              <CheckList
                checks={checks}
                kinds={
                  new Set(MEDIA_TYPES.filter((type) => mediaTypes.includes(type.mediaType)).map(({ kind }) => kind))
                }
                value={field.value}
                onChange={field.onChange}
                errors={new Map(found.map(({ path, message }) => [path, message]))}
              />
            )}
          />
        ) : (
          <p className="border-t border-line px-5 py-4 text-sm text-ink-muted">
            Nothing is checked in this category. The settings of the checks are kept.
          </p>
        )}
      </Card>
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

const DEFAULTS = { id: 'defaults', label: 'Defaults', describe: 'Every check as it comes, no limits set.', checks: {} }

function PresetSelect({
  presets,
  apply,
}: {
  presets: readonly Preset[]
  apply: (preset: { label: string; checks: ChecksSettings }) => void
}) {
  const all: readonly Preset[] = [DEFAULTS, ...presets]
  return (
    <Select
      aria-label="Start from a preset"
      placeholder="Start from a preset"
      className="w-56"
      value={null}
      onValueChange={(id: string) => {
        const preset = all.find((each) => each.id === id)
        if (preset) apply({ label: preset.label, checks: structuredClone(preset.checks) as ChecksSettings })
      }}
      options={all.map(({ id, label, describe }) => ({ value: id, label, description: describe }))}
    />
  )
}
