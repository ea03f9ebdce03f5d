import { alignName, MAX_ALIGNED_LENGTH } from './align'
import { isClaimTrue, type TokenValues, valueFromFacts } from './claims'
import { explainLiteral, explainMissing, explainUnexpected, explainValue, type Finding, sayFact } from './explain'
import { MAX_READ_LENGTH } from './portable-name'
import { findMisplaced, type NamePart, type Slot, toSlots } from './slots'
import type { Template } from './template'
import { type KnownFacts, type NamingContext, TOKENS } from './tokens'
import type { NamingViolation } from './violation'

export type NameMatch = {
  accepted: boolean
  parts: NamePart[]
  values: TokenValues
  violations: NamingViolation[]
  /**
   * The whole name, fixed; it matches as it stands. For an accepted name: the name with what the file itself says,
   * where they disagree. Null when nothing is to be fixed, or something cannot be known.
   */
  suggestion: string | null
  /** Elementary comparisons made. */
  steps: number
}

/**
 * Validates a file name by a template. Every wrong part is reported, by the reading of the name that is cheapest to fix.
 * The work is bounded by template length times name length.
 */
export function matchName(
  template: Template,
  fileName: string,
  context: NamingContext,
  knownFacts: KnownFacts = {},
): NameMatch {
  const rules = template.fixedExtension === null ? context : { ...context, extensions: [template.fixedExtension] }
  if (fileName.length > MAX_READ_LENGTH) return refuseUnread(fileName)
  const name = fileName.normalize('NFC')
  if (Array.from(name).length > MAX_ALIGNED_LENGTH) return refuseUnread(name)
  const alignment = alignName(template, name, rules)
  const slots = toSlots(template, alignment.pieces, rules)
  findMisplaced(slots, rules)
  validateValues(slots, rules, knownFacts)
  explainSlots(slots, rules)
  const fixed = fixName(slots)
  const isBetter = fixed !== null && fixed !== name && isRight(template, fixed, rules, knownFacts)
  const suggestion = isBetter ? fixed : null
  return {
    accepted: alignment.fits,
    parts: slots.map(({ reason: _reason, finding: _finding, words: _words, ...part }) => part),
    values: Object.fromEntries(slots.flatMap(({ token, text, ok }) => (token !== null && ok ? [[token, text]] : []))),
    violations: slots.flatMap((slot) => (slot.finding === null ? [] : [toViolation(slot, slot.finding, suggestion)])),
    suggestion,
    steps: alignment.steps,
  }
}

/** Of a proposal that would be read in another way, and then be fixed again, users would learn nothing. */
function isRight(template: Template, name: string, context: NamingContext, facts: KnownFacts): boolean {
  const { fits, pieces } = alignName(template, name, context)
  return fits && toSlots(template, pieces, context).every((slot) => !isFalse(slot, facts))
}

/** The name says something of the file that the file does not bear out, and what it should say is known. */
function isFalse({ token, text }: Pick<Slot, 'token' | 'text'>, facts: KnownFacts): boolean {
  return token !== null && valueFromFacts(token, facts) !== null && isClaimTrue(token, text, facts) === false
}

function refuseUnread(name: string): NameMatch {
  const message = `The name is longer than ${MAX_ALIGNED_LENGTH} characters and was not compared with the template.`
  const unread = { text: name, token: null, ok: false, expected: null, message, suggestion: null, optional: false }
  return {
    accepted: false,
    parts: [{ kind: 'unexpected', ...unread }],
    values: {},
    violations: [{ rule: 'naming_convention', code: 'name_too_long', message }],
    suggestion: null,
    steps: 0,
  }
}

/** Gives every wrong or missing value what can be proposed for it: the file itself knows best, then the text found. */
function validateValues(slots: readonly Slot[], context: NamingContext, facts: KnownFacts): void {
  for (const [at, slot] of slots.entries()) {
    if (slot.token === null) continue
    const token = TOKENS[slot.token]
    const measured = valueFromFacts(slot.token, facts)
    if (slot.finding !== null) {
      if (isClaimTrue(slot.token, slot.suggestion ?? '', facts) === false) slot.suggestion = measured
    } else if (slot.ok) {
      if (measured === null || !isFalse(slot, facts)) continue
      slot.message = sayFact(token, slot.text, measured)
      slot.suggestion = measured
    } else if (slot.text === '') {
      slot.suggestion = measured ?? token.fallback(context)
    } else {
      // A wrong extension is no slip of the pen: another one would promise another content.
      const fallback = slot.token === 'ext' ? null : token.fallback(context)
      const fixed = measured ?? token.fix(slot.text, context) ?? fallback
      const literal = slots[at - 1]
      const prefix = literal !== undefined && isPiece(literal) ? (literal.expected ?? '') : ''
      const value = { text: slot.text, expected: slot.expected ?? '', fixed, prefix, canBeLeftOut: slot.optional }
      slot.suggestion = fixed
      slot.finding = explainValue(token, value, context)
    }
  }
}

function explainSlots(slots: readonly Slot[], context: NamingContext): void {
  for (const [at, slot] of slots.entries()) {
    if (slot.finding === null && !slot.ok) slot.finding = explainSlot(slot, slots, at, context)
    slot.message = slot.finding?.message ?? slot.message
  }
}

function explainSlot(slot: Slot, slots: readonly Slot[], at: number, context: NamingContext): Finding | null {
  if (slot.kind === 'unexpected') return slot.reason === null ? null : explainUnexpected(slot.text, slot.reason)
  const gap = findGap(slots, at)
  const before = slots
    .slice(0, at)
    .map(({ text }) => text)
    .join('')
  if (slot.token !== null) {
    const written = gap.map(({ token, suggestion }) => suggestion ?? (token ? TOKENS[token].example(context) : ''))
    return explainMissing(TOKENS[slot.token], slot.expected ?? '', written.join(''), before)
  }
  const value = slots[at + 1]
  const belongsToValue = isPiece(slot) && value?.kind === 'token' && !value.ok
  const belongsToGap = gap.some(({ kind }) => kind === 'token')
  return belongsToValue || belongsToGap ? null : explainLiteral(slot.text, slot.expected ?? '', before)
}

/** A literal of which the name has only a piece, such as `_` of `_v`. */
const isPiece = (slot: Slot) =>
  slot.kind === 'literal' && !slot.ok && slot.text !== '' && (slot.expected ?? '').includes(slot.text)

/** The neighbouring slots that hold nothing, or a piece of their literal: one gap in the name, to be filled at once. */
function findGap(slots: readonly Slot[], at: number): Slot[] {
  const isOpen = (slot: Slot | undefined) => slot !== undefined && !slot.ok && (slot.text === '' || isPiece(slot))
  let start = at
  let end = at
  if (!isOpen(slots[at])) return []
  while (isOpen(slots[start - 1])) start--
  while (isOpen(slots[end + 1])) end++
  return slots.slice(start, end + 1).filter(({ kind }) => kind !== 'unexpected')
}

/** Null when one part is wrong and it is not known what belongs there. */
function fixName(slots: readonly Slot[]): string | null {
  const texts = slots.map(({ ok, text, suggestion }) => suggestion ?? (ok ? text : null))
  return texts.includes(null) ? null : texts.join('')
}

function toViolation(slot: Slot, finding: Finding, suggestion: string | null): NamingViolation {
  return {
    rule: 'naming_convention',
    code: finding.code,
    message: finding.message,
    ...(slot.token === null ? {} : { token: slot.token }),
    ...(slot.expected === null ? {} : { expected: slot.expected }),
    ...(suggestion === null ? {} : { suggestion }),
  }
}
