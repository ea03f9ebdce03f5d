import { type ClassValue, clsx } from 'clsx'
import { OVERRIDDEN, propertyOf } from './class-properties'

/** As many results are remembered: of most calls there are few. */
const REMEMBERED = 500
const known = new Map<string, string>()

/** Joins class names; of two that set the same property the later one wins. */
export function cn(...classes: ClassValue[]): string {
  const joined = clsx(classes)
  const before = known.get(joined)
  if (before !== undefined) return before
  const merged = merge(joined.split(' '))
  if (known.size >= REMEMBERED) known.clear()
  known.set(joined, merged)
  return merged
}

function merge(names: readonly string[]): string {
  const set = new Set<string>()
  const kept: string[] = []
  for (const name of [...names].reverse()) {
    const { variant, base } = parsed(name)
    const property = propertyOf(base)
    if (property !== undefined) {
      if (set.has(variant + property)) continue
      for (const each of [property, ...(OVERRIDDEN.get(property) ?? [])]) set.add(variant + each)
    }
    if (name) kept.push(name)
  }
  return kept.reverse().join(' ')
}

/** `md:hover:p-2` is `p-2` in the case of `hover:md:`, in whichever order; `/` belongs to the value. */
function parsed(name: string): { variant: string; base: string } {
  const variants: string[] = []
  let [depth, from] = [0, 0]
  for (let at = 0; at < name.length; at++) {
    const letter = name[at]
    if (letter === '[' || letter === '(') depth++
    else if (letter === ']' || letter === ')') depth--
    else if (letter === ':' && depth === 0) {
      variants.push(name.slice(from, at + 1))
      from = at + 1
    }
  }
  const isImportant = name.endsWith('!')
  return {
    variant: variants.sort().join('') + (isImportant ? '!' : ''),
    base: name.slice(from, isImportant ? -1 : undefined),
  }
}
