import type { DescribedThreshold } from '@/lib/checks/described'
import { formatBytes } from '@/lib/format'

const WORDS: Readonly<Record<string, string>> = {
  any: 'Any',
  forbidden: 'Forbidden',
  required: 'Required',
  progressive: 'Progressive',
  interlaced: 'Interlaced',
  tff: 'Top field first',
  bff: 'Bottom field first',
  srgb: 'sRGB',
  'display-p3': 'Display P3',
  'adobe-rgb': 'Adobe RGB',
  'other-rgb': 'Other RGB',
  cmyk: 'CMYK',
  grey: 'Grey',
  lab: 'Lab',
  mono: 'Mono',
  stereo: 'Stereo',
  true: 'Yes',
  false: 'No',
}
/** A choice as people read it. */
export const word = (code: unknown) => WORDS[String(code)] ?? String(code)

/** The value of a threshold in a few words. */
export function sayValue({ unit }: Pick<DescribedThreshold, 'unit'>, value: unknown): string {
  if (Array.isArray(value)) return value.map(word).join(', ')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([key, each]) => `${key} = ${each}`)
      .join(', ')
  }
  if (unit === 'bytes' && typeof value === 'number') return formatBytes(value)
  return [word(value), unit].filter(Boolean).join(' ')
}

/** What a threshold is set to: for the line of a check that is closed. Of a table it says what it holds, not all of it. */
export function sayThreshold(threshold: DescribedThreshold, value: unknown): string {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value)
  const said = isTable ? Object.keys(value).join(', ') : sayValue(threshold, value)
  return `${threshold.title.replace(/, as .*$/, '')}: ${said}`
}

/** A threshold as people type it: lists with commas, one `300x250 = 150000` a line. Unset is empty. */
export function writeThreshold(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([key, each]) => `${key} = ${each}`)
    .join('\n')
}

/** What was typed, as the check reads it; what cannot be read is handed on, and the server says what is wrong. */
export function readThreshold(shape: DescribedThreshold['shape'], text: string): unknown {
  const typed = text.trim()
  if (typed === '') return undefined
  if (shape === 'number') return numberOr(typed)
  if (shape === 'list' || shape === 'numbers') {
    const items = typed.split(/[,;\s]+/).filter(Boolean)
    return shape === 'numbers' ? items.map(numberOr) : items
  }
  if (shape !== 'map') return typed
  const lines = typed.split(/\r?\n/).filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...rest] = line.split(/[=:]/)
      return [key.trim(), numberOr(rest.join('=').trim())]
    }),
  )
}

const numberOr = (text: string) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)
