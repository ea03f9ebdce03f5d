'use client'

import { ChevronRight } from 'lucide-react'
import { Checkbox } from '@/components/ui/checkbox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Switch } from '@/components/ui/switch'
import type { DescribedCheck, DescribedThreshold } from '@/lib/checks/described'
import { LABELS } from '@/lib/vocabulary'

export type CheckSettings = { enabled?: boolean; severity?: 'warning' | 'fail'; thresholds?: Record<string, unknown> }

/** One check of a category: whether it runs, what a violation does, and its thresholds. What is not set is the default. */
export function CheckSettingsRow({
  check,
  settings,
  onChange,
  errors,
}: {
  check: DescribedCheck
  settings: CheckSettings
  onChange: (settings: CheckSettings) => void
  errors: Readonly<Record<string, string>>
}) {
  const isOn = settings.enabled ?? check.isEnabled
  const thresholds = settings.thresholds ?? {}
  const set = (key: string, value: unknown) => {
    const next = { ...thresholds }
    if (value === undefined) delete next[key]
    else next[key] = value
    onChange({ ...settings, thresholds: next })
  }
  return (
    <details className="group border-b border-line last:border-b-0" open={Object.keys(errors).length > 0 || undefined}>
      <summary className="flex cursor-pointer list-none items-center gap-3 px-4 py-2.5 hover:bg-hover">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-ink-subtle transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 flex-1 text-sm font-medium">{check.label}</span>
        <span className="text-xs text-ink-subtle max-sm:hidden">
          {check.kinds.map((kind) => LABELS.mediaKind[kind]).join(', ')}
        </span>
        <span className="w-16 text-right text-xs text-ink-muted">
          {isOn ? (severityOf(check, settings) === 'fail' ? 'Fails' : 'Warns') : 'Off'}
        </span>
      </summary>
      <div className="flex flex-col gap-4 px-11 pt-1 pb-4">
        <p className="max-w-prose text-sm text-ink-muted">{check.describe}</p>
        <div className="flex flex-wrap items-end gap-4">
          <Checkbox label="Runs" checked={isOn} onCheckedChange={(enabled) => onChange({ ...settings, enabled })} />
          <Select
            aria-label={`What a violation of ${check.label} does`}
            className="w-36"
            value={severityOf(check, settings)}
            onValueChange={(severity) => onChange({ ...settings, severity })}
            options={[
              { value: 'fail', label: 'Fails the file' },
              { value: 'warning', label: 'Warns' },
            ]}
          />
        </div>
        {check.thresholds.length > 0 && (
          <div className="grid gap-4 sm:grid-cols-2">
            {check.thresholds.map((threshold) => (
              <ThresholdField
                key={threshold.key}
                threshold={threshold}
                value={thresholds[threshold.key]}
                onChange={(value) => set(threshold.key, value)}
                error={errors[threshold.key]}
              />
            ))}
          </div>
        )}
      </div>
    </details>
  )
}

const severityOf = (check: DescribedCheck, settings: CheckSettings) =>
  settings.severity ?? (check.isBlocking ? 'fail' : 'warning')

function ThresholdField({
  threshold,
  value,
  onChange,
  error,
}: {
  threshold: DescribedThreshold
  value: unknown
  onChange: (value: unknown) => void
  error?: string
}) {
  const { shape, choices, fallback } = threshold
  const label = threshold.unit ? `${threshold.title} (${threshold.unit})` : threshold.title
  if (shape === 'switch')
    return (
      <Switch
        label={label}
        description={threshold.source}
        checked={Boolean(value ?? fallback)}
        onCheckedChange={onChange}
      />
    )
  if (shape === 'choice') {
    return (
      <Field label={label} name={threshold.key} hint={threshold.source ?? undefined} error={error}>
        <Select
          options={choices.map((choice) => ({ value: choice, label: choice }))}
          value={String(value ?? fallback ?? '')}
          onValueChange={onChange}
        />
      </Field>
    )
  }
  return (
    <Field label={label} name={threshold.key} hint={threshold.source ?? undefined} error={error}>
      <Input
        key={value === undefined ? 'unset' : 'set'}
        defaultValue={written(value)}
        placeholder={written(fallback) || 'None'}
        onBlur={(event) => onChange(read(shape, event.currentTarget.value))}
        className={shape === 'json' ? 'font-mono' : undefined}
      />
    </Field>
  )
}

function written(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What was typed, as the check reads it; what cannot be read is sent as it is, and the server says what is wrong. */
function read(shape: DescribedThreshold['shape'], text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = (each: string) => (Number.isFinite(Number(each)) ? Number(each) : each)
  if (shape === 'number') return number(trimmed)
  if (shape === 'list' || shape === 'numbers') {
    const items = trimmed.split(/[,;\s]+/).filter(Boolean)
    return shape === 'numbers' ? items.map(number) : items
  }
  if (shape !== 'json') return trimmed
  try {
    return JSON.parse(trimmed)
  } catch {
    return trimmed
  }
}
