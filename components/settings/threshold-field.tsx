'use client'

import { useState } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Field, FieldGroup } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { DescribedThreshold } from '@/lib/checks/described'
import { formatBytes } from '@/lib/format'
import { readThreshold, word, writeThreshold } from './threshold-text'

type Props = {
  threshold: DescribedThreshold
  /** Where the value stands in the request. */
  path: string
  value: unknown
  onChange: (value: unknown) => void
  error?: string | undefined
}

/** One threshold: the control its shape asks for, its unit, its default as placeholder, and where that comes from. */
export function ThresholdField({ threshold, path, value, onChange, error }: Props) {
  const { shape, choices, fallback, title, unit } = threshold
  const label = unit ? `${title} (${unit})` : title
  const source = threshold.source?.replace(/^Reasoned: (.)/, (_, first: string) => first.toUpperCase())
  if (shape === 'switch') {
    return (
      <Checkbox
        label={title}
        description={source}
        checked={Boolean(value ?? fallback)}
        onCheckedChange={(isOn) => onChange(isOn === fallback ? undefined : isOn)}
      />
    )
  }
  if (shape === 'flags') {
    const chosen = Array.isArray(value) ? value : []
    return (
      <FieldGroup legend={title} hint={source}>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {choices.map((choice) => (
            <Checkbox
              key={choice}
              label={word(choice)}
              checked={chosen.includes(choice)}
              onCheckedChange={(isOn) => {
                const next = choices.filter((each) => (each === choice ? isOn : chosen.includes(each)))
                onChange(next.length > 0 ? next : undefined)
              }}
            />
          ))}
        </div>
      </FieldGroup>
    )
  }
  if (shape === 'choice' || shape === 'maybe') {
    const options = shape === 'maybe' ? ['unset', 'true', 'false'] : choices
    const shown = shape === 'maybe' ? String(value ?? 'unset') : String(value ?? fallback)
    return (
      <Field label={label} name={path} hint={source} error={error}>
        <Select
          options={options.map((choice) => ({ value: choice, label: choice === 'unset' ? 'Not said' : word(choice) }))}
          value={shown}
          onValueChange={(next) => {
            if (next === 'unset' || next === fallback) onChange(undefined)
            else onChange(shape === 'maybe' ? next === 'true' : next)
          }}
          className="max-w-56"
        />
      </Field>
    )
  }
  return (
    <Field label={label} name={path} hint={source} error={error}>
      <ThresholdText shape={shape} fallback={fallback} value={value} onChange={onChange} />
      {unit === 'bytes' && typeof value === 'number' && (
        <span className="text-xs text-ink-muted tabular-nums">{formatBytes(value)}</span>
      )}
    </Field>
  )
}

function ThresholdText({
  shape,
  fallback,
  value,
  onChange,
}: Pick<DescribedThreshold, 'shape' | 'fallback'> & Pick<Props, 'value' | 'onChange'>) {
  const [typed, setTyped] = useState(writeThreshold(value))
  // What was typed stays as it was typed; a value from elsewhere (a preset, undo) takes its place.
  const isTyped = JSON.stringify(readThreshold(shape, typed)) === JSON.stringify(value)
  const text = isTyped ? typed : writeThreshold(value)
  function change(next: string) {
    setTyped(next)
    onChange(readThreshold(shape, next))
  }
  if (shape === 'map') {
    return (
      <Textarea
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder="300x250 = 150000"
        rows={2}
        spellCheck={false}
        className="font-mono"
      />
    )
  }
  return (
    <Input
      value={text}
      onValueChange={change}
      placeholder={writeThreshold(fallback) || 'Not set'}
      inputMode={shape === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      className={shape === 'number' ? 'max-w-40 tabular-nums' : undefined}
    />
  )
}
