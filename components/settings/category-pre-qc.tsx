import { Controller, type UseFormReturn } from 'react-hook-form'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { DescribedCheck } from '@/lib/checks/described'
import type { Preset } from '@/lib/checks/presets'
import { toast } from '@/lib/client/toast'
import { MEDIA_TYPES } from '@/lib/domain/files/media-types'
import { type CategoryValues, type ChecksSettings, USUAL_FLOOR } from './category-values'
import { CheckList } from './check-settings'

/** Whether files of a category are checked, how deeply, and by which settings. */
export function CategoryPreQc({
  form,
  checks,
  presets,
  errors,
}: {
  form: UseFormReturn<CategoryValues>
  checks: readonly DescribedCheck[]
  presets: readonly Preset[]
  /** By path of the field. */
  errors: ReadonlyMap<string, string>
}) {
  const { control } = form
  const mediaTypes = form.watch('media_types')
  const isEnabled = form.watch('pre_qc.enabled')

  function apply(next: { label: string; checks: ChecksSettings }) {
    const before = form.getValues('pre_qc.checks')
    form.setValue('pre_qc.checks', next.checks, { shouldDirty: true })
    toast(`The checks are those of “${next.label}”`, {
      action: {
        label: 'Undo',
        onClick: () => form.setValue('pre_qc.checks', before, { shouldDirty: true }),
      },
    })
  }

  return (
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
        {isEnabled && (
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
        {isEnabled && (
          <Controller
            control={control}
            name="pre_qc.confidence_floor"
            render={({ field }) => (
              <Select
                aria-label="How sure the engine has to be to fail a file"
                value={String(field.value ?? USUAL_FLOOR)}
                onValueChange={(value) => field.onChange(Number(value))}
                options={floorOptions(field.value ?? USUAL_FLOOR)}
              />
            )}
          />
        )}
        {isEnabled && <PresetSelect presets={presets} apply={apply} />}
      </CardBody>
      {isEnabled ? (
        <Controller
          control={control}
          name="pre_qc.checks"
          render={({ field }) => (
            <CheckList
              checks={checks}
              kinds={new Set(MEDIA_TYPES.filter((type) => mediaTypes.includes(type.mediaType)).map(({ kind }) => kind))}
              value={field.value}
              onChange={field.onChange}
              errors={errors}
            />
          )}
        />
      ) : (
        <p className="border-t border-line px-5 py-4 text-sm text-ink-muted">
          Nothing is checked in this category. The settings of the checks are kept.
        </p>
      )}
    </Card>
  )
}

const FLOORS = [0, 0.5, 0.7, 0.8, 0.9, 0.95]

/** The usual ones, and the one that was set by the interface. */
const floorOptions = (current: number) =>
  [...new Set([...FLOORS, current])]
    .sort((a, b) => a - b)
    .map((floor) => ({
      value: String(floor),
      label: floor === 0 ? 'Fails, however unsure' : `Fails from ${Math.round(floor * 100)} % sure, else needs eyes`,
    }))

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
