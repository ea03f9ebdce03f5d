'use client'

import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckboxBox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import type { DescribedCheck } from '@/lib/checks/described'
import { LABELS, type MediaKind } from '@/lib/vocabulary'
import { type CheckSettings, type ChecksSettings, withCheck } from './category-values'
import { ThresholdField } from './threshold-field'
import { sayThreshold } from './threshold-text'

const GROUPS: readonly { title: string; holds: (kinds: readonly MediaKind[]) => boolean }[] = [
  { title: 'Every file', holds: (kinds) => kinds.length > 3 },
  { title: 'Images', holds: (kinds) => kinds.includes('image') },
  { title: 'Video and audio', holds: (kinds) => kinds.includes('video') || kinds.includes('audio') },
  { title: 'Documents', holds: (kinds) => kinds.includes('document') },
  { title: 'HTML5 and archives', holds: () => true },
]

/** Every check that files of the chosen kinds can meet, and its settings. What is not set is the check's default. */
export function CheckList({
  checks,
  kinds,
  value,
  onChange,
  errors,
}: {
  checks: readonly DescribedCheck[]
  /** Of the media types that are taken; empty: every kind. */
  kinds: ReadonlySet<MediaKind>
  value: ChecksSettings
  onChange: (value: ChecksSettings) => void
  /** By path in the request. */
  errors: ReadonlyMap<string, string>
}) {
  const [showsAll, setShowsAll] = useState(false)
  const canMeet = (check: DescribedCheck) => kinds.size === 0 || check.kinds.some((kind) => kinds.has(kind))
  const shown = checks.filter((check) => showsAll || canMeet(check))
  const others = checks.length - checks.filter(canMeet).length
  const groupOf = (check: DescribedCheck) => GROUPS.find(({ holds }) => holds(check.kinds))
  return (
    <div>
      {GROUPS.map((group) => {
        const members = shown.filter((check) => groupOf(check) === group)
        if (members.length === 0) return null
        return (
          <section key={group.title} aria-label={group.title}>
            <h3 className="border-t border-line bg-canvas px-5 py-1.5 text-xs font-medium text-ink-subtle">
              {group.title}
            </h3>
            <ul>
              {members.map((check) => (
                <CheckRow
                  key={check.id}
                  check={check}
                  settings={value[check.id] ?? {}}
                  onChange={(change) => onChange(withCheck(value, check, change))}
                  errors={errors}
                />
              ))}
            </ul>
          </section>
        )
      })}
      {others > 0 && (
        <div className="border-t border-line px-5 py-2.5">
          <Button size="sm" variant="ghost" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Only checks for the chosen media types' : `${others} more for other media types`}
          </Button>
        </div>
      )}
    </div>
  )
}

/** A day some days from now, UTC. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

function CheckRow({
  check,
  settings,
  onChange,
  errors,
}: {
  check: DescribedCheck
  settings: CheckSettings
  onChange: (change: CheckSettings) => void
  errors: ReadonlyMap<string, string>
}) {
  const id = useId()
  const [isOpened, setOpened] = useState(false)
  const pathOf = (key: string) => `pre_qc.checks.${check.id}.thresholds.${key}`
  const isOn = settings.enabled ?? check.isEnabled
  const announcedPath = `pre_qc.checks.${check.id}.fails_from`
  const isOpen =
    isOpened || [announcedPath, ...check.thresholds.map(({ key }) => pathOf(key))].some((path) => errors.has(path))
  const set = check.thresholds.filter(({ key }) => settings.thresholds?.[key] !== undefined)
  const announced = settings.fails_from
  const summary = [
    announced !== undefined && `Fails from ${announced}`,
    ...set.map((threshold) => sayThreshold(threshold, settings.thresholds?.[threshold.key])),
  ]
    .filter(Boolean)
    .join(' · ')
  const choose = (violation: 'fail' | 'warning' | 'announced') => {
    if (violation !== 'announced') return onChange({ severity: violation, fails_from: undefined })
    setOpened(true)
    onChange({ fails_from: inDays(30) })
  }
  return (
    <li className="border-t border-line">
      <div className="flex items-center gap-3 px-5 py-1.5 hover:bg-hover">
        <CheckboxBox
          aria-label={`Run the check ${check.label}`}
          checked={isOn}
          onCheckedChange={(enabled) => onChange({ enabled })}
        />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpened(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2 rounded-md text-left"
        >
          <span className="min-w-0 flex-1">
            <span className={cn('block text-sm font-medium', !isOn && 'text-ink-subtle')}>{check.label}</span>
            {(summary || !isOpen) && (
              <span className={cn('block truncate text-xs', summary ? 'text-accent-ink' : 'text-ink-muted')}>
                {summary || check.describe}
              </span>
            )}
          </span>
          <ChevronDown
            aria-hidden="true"
            className={cn('size-4 shrink-0 text-ink-subtle transition-transform duration-150', isOpen && 'rotate-180')}
          />
        </button>
        {isOn ? (
          <Select
            aria-label={`What a violation of ${check.label} does`}
            size="sm"
            className="w-29 shrink-0"
            value={
              announced !== undefined ? 'announced' : (settings.severity ?? (check.isBlocking ? 'fail' : 'warning'))
            }
            onValueChange={choose}
            options={[
              { value: 'fail', label: 'Fail', description: 'The file fails; a coordinator may waive it' },
              { value: 'warning', label: 'Warning', description: 'Shown to the reviewer, who decides' },
              { value: 'announced', label: 'Announced', description: 'Warns until a day, and fails from it on' },
            ]}
          />
        ) : (
          <span className="w-29 shrink-0 pl-2.5 text-xs text-ink-subtle">Off</span>
        )}
      </div>
      <div id={id} hidden={!isOpen} className="flex flex-col gap-4 px-5 pt-1 pb-5 sm:pl-12">
        {isOpen && (
          <>
            <p className="max-w-prose text-sm text-ink-muted">
              {check.describe}{' '}
              {check.kinds.length < 6 && (
                <span className="text-ink-subtle">
                  For: {check.kinds.map((kind) => LABELS.mediaKind[kind]).join(', ')}.
                </span>
              )}
            </p>
            {announced !== undefined && (
              <Field
                label="Fails from"
                name={announcedPath}
                hint="A violation warns until this day (UTC) and says from when it will fail."
                error={errors.get(announcedPath)}
                className="max-w-60"
              >
                <Input type="date" value={announced} onValueChange={(day) => onChange({ fails_from: day })} />
              </Field>
            )}
            {check.thresholds.length > 0 && (
              <div className="grid items-start gap-x-6 gap-y-4 sm:grid-cols-2">
                {check.thresholds.map((threshold) => (
                  <ThresholdField
                    key={threshold.key}
                    threshold={threshold}
                    path={pathOf(threshold.key)}
                    value={settings.thresholds?.[threshold.key]}
                    onChange={(value) => onChange({ thresholds: { [threshold.key]: value } })}
                    error={errors.get(pathOf(threshold.key))}
                  />
                ))}
              </div>
            )}
            {check.thresholds.length === 0 && <p className="text-sm text-ink-muted">It has no thresholds.</p>}
          </>
        )}
      </div>
    </li>
  )
}
