import type { Piece, UnexpectedReason } from './align'
import { isWordCharacter, quote } from './characters'
import { explainMisplaced, type Finding } from './explain'
import type { Template } from './template'
import { type NamingContext, TOKENS, type Token, type TokenName } from './tokens'

/** One stretch of a name, or a gap in it. The texts of all parts, joined, are the name in Unicode form NFC. */
export type NamePart = {
  kind: 'literal' | 'token' | 'unexpected'
  /** As found; `''` where something is missing. */
  text: string
  token: TokenName | null
  ok: boolean
  /** What belongs here; null for text that belongs nowhere. */
  expected: string | null
  /** What is wrong here and how to fix it. With `ok`: what the file itself says otherwise. */
  message: string | null
  /** What to write here instead; `''` for text to be removed, null when nothing can be proposed. */
  suggestion: string | null
  /** Stands in an optional part of the template. */
  optional: boolean
}

/** A part on its way to being validated. */
export type Slot = NamePart & {
  finding: Finding | null
  /** Of unexpected text, as long as nothing else in the name explains it. */
  reason: UnexpectedReason | null
  /** Words of unexpected text; those that turned out to be a missing value are taken out. */
  words: string[]
}

/** The pieces of an aligned name as the parts a verdict shows, with nothing validated yet but right or wrong. */
export function toSlots(template: Template, pieces: readonly Piece[], context: NamingContext): Slot[] {
  const slots = pieces.map((piece): Slot => {
    const part = piece.kind === 'part' ? template.parts[piece.part] : undefined
    const blank = {
      text: piece.text,
      token: null,
      message: null,
      suggestion: null,
      finding: null,
      reason: null,
      words: [],
    }
    if (piece.kind === 'unexpected' || part === undefined) {
      const reason = piece.kind === 'unexpected' ? piece.reason : null
      return { ...blank, kind: 'unexpected', ok: false, expected: null, suggestion: '', optional: false, reason }
    }
    const optional = part.option !== null
    if (part.kind === 'token') {
      const expected = TOKENS[part.token].expected(context)
      return { ...blank, kind: 'token', token: part.token, ok: piece.isValid, expected, optional }
    }
    const suggestion = piece.isValid ? null : part.text
    return { ...blank, kind: 'literal', ok: piece.isValid, expected: part.text, suggestion, optional }
  })
  mergeSeparators(slots)
  return slots
}

const isPunctuation = (text: string) => !Array.from(text).some(isWordCharacter)

/** A separator with stray punctuation beside it (`__`, ` - `, ` x `) is one wrong separator, not three faults. */
function mergeSeparators(slots: Slot[]): void {
  const isStray = (slot: Slot | undefined) => slot?.reason === 'text' && isPunctuation(slot.text)
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]
    if (slot?.kind !== 'literal' || slot.text === '') continue
    const before = isStray(slots[at - 1]) ? slots[at - 1] : undefined
    const after = isStray(slots[at + 1]) ? slots[at + 1] : undefined
    if (before === undefined && after === undefined) continue
    slot.text = (before?.text ?? '') + slot.text + (after?.text ?? '')
    slot.ok = false
    slot.suggestion = slot.expected
    if (after) slots.splice(at + 1, 1)
    if (before) slots.splice(--at, 1)
  }
}

/** Finds values that stand in each other's place, and missing values that stand where nothing was expected. */
export function findMisplaced(slots: readonly Slot[], context: NamingContext): void {
  for (const slot of slots) {
    if (slot.reason === 'text')
      slot.words = slot.text.split(/[^\p{L}\p{M}\p{N}-]+/u).filter((word) => !isPunctuation(word))
  }
  for (const slot of slots) {
    if (slot.token === null || slot.ok || slot.finding !== null) continue
    const token = TOKENS[slot.token]
    if (slot.text === '') claimStrayWord(slot, token, slots, context)
    else if (token.kind === 'closed') findSwapped(slot, token, slots, context)
  }
}

function claimStrayWord(slot: Slot, token: Token, slots: readonly Slot[], context: NamingContext): void {
  const read = (word: string) => {
    if (token.isValid(word, context)) return word
    return token.kind === 'closed' ? token.fix(word, context) : null
  }
  for (const stray of slots) {
    const at = stray.words.findIndex((word) => read(word) !== null)
    const word = stray.words[at]
    if (word === undefined) continue
    stray.words.splice(at, 1)
    if (stray.words.length === 0) stray.reason = null
    stray.message = `${quote(word)} stands in the wrong place; it reads as the ${token.label.toLowerCase()}.`
    slot.suggestion = read(word)
    slot.finding = explainMisplaced(token, word, slot.expected ?? '')
    return
  }
}

function findSwapped(slot: Slot, token: Token, slots: readonly Slot[], context: NamingContext): void {
  const other = slots.find(({ token: name, text, finding }) => {
    if (name === null || finding !== null || !token.isValid(text, context)) return false
    return TOKENS[name].isValid(slot.text, context)
  })
  if (other?.token == null) return
  slot.suggestion = other.text
  slot.finding = explainMisplaced(token, other.text, slot.expected ?? '')
  other.ok = false
  other.suggestion = slot.text
  other.finding = explainMisplaced(TOKENS[other.token], slot.text, other.expected ?? '')
}
