'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Card, CardHeader } from '@/components/ui/card'
import { Checkbox } from '@/components/ui/checkbox'
import { Combobox } from '@/components/ui/combobox'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { DescribedCheck } from '@/lib/checks/described'
import type { Preset } from '@/lib/checks/presets'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Agency, Campaign } from '@/lib/domain/directory/schema'
import { MEDIA_TYPES } from '@/lib/domain/files/media-types'
import { allowedExtensions } from '@/lib/domain/files/rules'
import type { MediaCategory } from '@/lib/domain/settings/schema'
import { LABELS, MEDIA_KINDS } from '@/lib/vocabulary'
import { type CheckSettings, CheckSettingsRow } from './check-settings'
import { TemplateField } from './template-field'

type Values = {
  name: string
  naming_template: string
  media_types: string[]
  max_size: string
  unit: 'MB' | 'GB'
  pre_qc_enabled: boolean
  checks: Record<string, CheckSettings>
}

const BYTES = { MB: 1e6, GB: 1e9 } as const

type Props = {
  category?: MediaCategory
  etag?: string
  checks: readonly DescribedCheck[]
  presets: readonly Preset[]
  agencies: readonly Agency[]
  campaigns: readonly Campaign[]
}

/** Everything a media category holds: how files are named, which are taken, what is checked. */
export function CategoryForm({ category, etag, checks, presets, agencies, campaigns }: Props) {
  const router = useRouter()
  const [agencyId, setAgencyId] = useState(agencies[0]?.id ?? null)
  const form = useForm<Values>({ defaultValues: valuesOf(category) })
  const { errors, submitCount } = form.formState
  const save = useApiMutation<Values, MediaCategory, Values>({
    form,
    request: (values) =>
      category
        ? { path: `/api/media-categories/${category.id}`, method: 'PATCH', body: bodyOf(values), ifMatch: etag }
        : { path: '/api/media-categories', body: bodyOf(values) },
    success: category ? 'Media category saved' : 'Media category created',
    onSuccess: (saved) => {
      if (!category) router.push(`/settings/media-categories/${saved.id}`)
    },
  })
  const agency = agencies.find(({ id }) => id === agencyId)
  const mediaTypes = form.watch('media_types')
  const context = {
    agencyCode: agency?.code ?? null,
    campaignCodes: campaigns.filter((campaign) => campaign.agency.id === agencyId).map(({ code }) => code),
    extensions: allowedExtensions(mediaTypes),
  }
  return (
    <form noValidate onSubmit={form.handleSubmit((values) => save.mutate(values))} className="flex flex-col gap-6">
      <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
      <Card>
        <div className="flex flex-col gap-5 p-5">
          <Field label="Name" name="name" error={errors.name?.message} className="max-w-md">
            <Input
              {...form.register('name', { required: 'Give the category a name.' })}
              maxLength={200}
              autoComplete="off"
            />
          </Field>
          <Field
            label="Try names as"
            name="agency"
            hint="Whose codes the example and the trial below use."
            className="max-w-md"
          >
            <Combobox
              options={agencies.map(({ id, name, code }) => ({ value: id, label: name, description: code }))}
              value={agencyId}
              onValueChange={setAgencyId}
              placeholder="Any agency"
              clearable
            />
          </Field>
          <Controller
            control={form.control}
            name="naming_template"
            render={({ field }) => (
              <TemplateField
                value={field.value}
                onChange={field.onChange}
                context={context}
                error={errors.naming_template?.message}
              />
            )}
          />
        </div>
      </Card>
      <Card>
        <CardHeader
          title="Which files are taken"
          description="Nothing chosen: every type whose integrity can be judged."
        />
        <div className="flex flex-col gap-5 px-5 pb-5">
          <Controller
            control={form.control}
            name="media_types"
            render={({ field }) => <TypeBoxes value={field.value} onChange={field.onChange} />}
          />
          <div className="flex items-end gap-2">
            <Field label="Largest file" name="max_file_size" optional error={errors.max_size?.message} className="w-40">
              <Input
                {...form.register('max_size', {
                  validate: (text) => text === '' || Number(text) > 0 || 'Give a number above zero, or leave it empty.',
                })}
                inputMode="decimal"
              />
            </Field>
            <Controller
              control={form.control}
              name="unit"
              render={({ field }) => (
                <Select
                  aria-label="Unit"
                  className="w-20"
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: 'MB', label: 'MB' },
                    { value: 'GB', label: 'GB' },
                  ]}
                />
              )}
            />
          </div>
        </div>
      </Card>
      <Card>
        <CardHeader
          title="Pre-QC"
          description={
            category
              ? `Version ${category.profile_version} of these settings. A change makes a new version; results keep the one they were made with.`
              : 'What is checked when a batch of this category is submitted.'
          }
        />
        <div className="flex flex-col gap-4 px-5 pb-4">
          <Controller
            control={form.control}
            name="pre_qc_enabled"
            render={({ field }) => (
              <Switch
                label="Check files of this category"
                checked={field.value}
                onCheckedChange={field.onChange}
                className="max-w-md"
              />
            )}
          />
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-sm text-ink-muted">Begin with</span>
            {presets.map((preset) => (
              <Button
                key={preset.id}
                size="sm"
                title={preset.describe}
                onClick={() =>
                  form.setValue('checks', structuredClone(preset.checks) as Record<string, CheckSettings>, {
                    shouldDirty: true,
                  })
                }
              >
                {preset.label}
              </Button>
            ))}
          </div>
        </div>
        <Controller
          control={form.control}
          name="checks"
          render={({ field }) => (
            <div className="border-t border-line">
              {checks.map((check) => (
                <CheckSettingsRow
                  key={check.id}
                  check={check}
                  settings={field.value[check.id] ?? {}}
                  onChange={(settings) => field.onChange({ ...field.value, [check.id]: settings })}
                  errors={errorsOf(errors, check.id)}
                />
              ))}
            </div>
          )}
        />
      </Card>
      <div className="sticky bottom-(--bottombar-height,0px) flex justify-end gap-2 border-t border-line bg-canvas py-3">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {category ? 'Save' : 'Create media category'}
        </Button>
      </div>
    </form>
  )
}

function TypeBoxes({ value, onChange }: { value: readonly string[]; onChange: (value: string[]) => void }) {
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      {MEDIA_KINDS.map((kind) => (
        <fieldset key={kind} className="flex flex-col gap-1">
          <legend className="mb-1 text-sm font-medium">{LABELS.mediaKind[kind]}</legend>
          {MEDIA_TYPES.filter((type) => type.kind === kind).map((type) => (
            <Checkbox
              key={type.mediaType}
              label={type.label}
              checked={value.includes(type.mediaType)}
              onCheckedChange={(isOn) =>
                onChange(isOn ? [...value, type.mediaType] : value.filter((each) => each !== type.mediaType))
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function valuesOf(category?: MediaCategory): Values {
  const bytes = category?.max_file_size ?? null
  const unit = bytes !== null && bytes % BYTES.GB === 0 ? 'GB' : 'MB'
  return {
    name: category?.name ?? '',
    naming_template: category?.naming_template ?? '',
    media_types: category?.media_types ?? [],
    max_size: bytes === null ? '' : String(bytes / BYTES[unit]),
    unit,
    pre_qc_enabled: category?.pre_qc.enabled ?? true,
    checks: category?.pre_qc.checks ?? {},
  }
}

const bodyOf = ({ name, naming_template, media_types, max_size, unit, pre_qc_enabled, checks }: Values) => ({
  name,
  naming_template: naming_template.trim() || null,
  media_types,
  max_file_size: max_size === '' ? null : Math.round(Number(max_size) * BYTES[unit]),
  pre_qc: { enabled: pre_qc_enabled, checks },
})

/** Server errors of one check, by threshold: they come under `pre_qc.checks.{id}.thresholds.{key}`. */
function errorsOf(errors: object, id: string): Record<string, string> {
  const thresholds =
    (errors as { pre_qc?: { checks?: Record<string, { thresholds?: Record<string, { message?: string }> }> } }).pre_qc
      ?.checks?.[id]?.thresholds ?? {}
  return Object.fromEntries(
    Object.entries(thresholds).flatMap(([key, error]) => (error?.message ? [[key, error.message]] : [])),
  )
}
