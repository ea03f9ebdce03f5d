import type { DescribedThreshold } from '@/lib/checks/described'

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
