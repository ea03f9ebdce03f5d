import { findLookAlikes, isLetter, isWordCharacter, plainCharacter } from './characters'
import { findAdditions, findBoundaries, findFieldEnds } from './name-fields'
import type { Template } from './template'
import { type NamingContext, TOKENS, type Token } from './tokens'

/**
 * The cheapest way to read a name as a template, right or wrong: dynamic programming over (place in the template,
 * place in the name), so the work is bounded by their product and no input makes it backtrack. A name that fits costs
 * less than one fault; for any other the cheapest reading says which part is wrong.
 */

/** Names beyond this many characters are not aligned; the portable rules refuse them anyway. */
export const MAX_ALIGNED_LENGTH = 255

/** Units are arbitrary; only their order decides. The least fault must exceed every sum of preferences. */
const COST = {
  /** A preference: what is optional is filled when it can be. */
  skipOption: 1,
  fault: 1000,
  caseOrLookAlike: 1000,
  otherSeparator: 1000,
  missingCharacter: 1100,
  otherLetter: 2600,
  strayPunctuation: 1500,
  extraSeparator: 1100,
  extraText: 4000,
  extraTextCharacter: 100,
  /** A fault that tears a word or a number apart, and one that only tears a word from a number. */
  midWord: 6000,
  midField: 2000,
  /** What browsers and file managers add before the extension. */
  copyMarker: 2000,
  fixableToken: 2500,
  openToken: 2000,
  openTokenCharacter: 1500,
  resemblingToken: 3300,
  wrongToken: 6000,
  missingOpenToken: 4500,
  missingClosedToken: 4700,
  /** A token goes missing together with the literal that introduces it, or else the one after it. */
  missingLiteralBefore: 300,
  missingLiteralAfter: 500,
} as const

/** A wrong value of a closed token is searched for in so many characters, or in one whole field. */
const LONGEST_WRONG_VALUE = 16
/** As many separators stand inside a wrong value, such as `2024-05-03`. */
const MOST_SEPARATORS = 2

export type UnexpectedReason = 'text' | 'copy_marker' | 'doubled_extension'

/** One stretch of the name, with the part of the template it was read as. Stretches follow each other without gaps. */
export type Piece = { text: string } & (
  | { kind: 'part'; part: number; isValid: boolean }
  | { kind: 'unexpected'; reason: UnexpectedReason }
)

export type Alignment = {
  fits: boolean
  pieces: Piece[]
  /** Elementary comparisons made, for tests of the bound. */
  steps: number
}

/** What the search walks over: characters of literals one by one, tokens whole. */
type Unit = { part: number; startsPart: boolean } & (
  | { kind: 'character'; character: string }
  | { kind: 'token'; token: Token }
)

const VIA = { none: 0, exact: 1, faulty: 2, extra: 3, copyMarker: 4, doubledExtension: 5, skip: 6, gap: 7 } as const
type Via = (typeof VIA)[keyof typeof VIA]

/** @param name NFC, at most `MAX_ALIGNED_LENGTH` characters */
export function alignName(template: Template, name: string, context: NamingContext): Alignment {
  const characters = Array.from(name)
  const strict = new Aligner(template, characters, context, false).run()
  return strict.fits ? strict : new Aligner(template, characters, context, true).run()
}

class Aligner {
  private readonly units: Unit[]
  private readonly jumps: ReadonlyMap<number, readonly Jump[]>
  private readonly width: number
  private readonly cost: Float64Array
  private readonly from: Int32Array
  private readonly via: Uint8Array
  private readonly isSeparator: boolean[]
  private readonly isBoundary: boolean[]
  private readonly fieldEnd: number[]
  private readonly isLookAlike: boolean[]
  private steps = 0

  constructor(
    template: Template,
    private readonly characters: readonly string[],
    private readonly context: NamingContext,
    /** Without faults the search is quick, and enough for a name that fits. */
    private readonly allowsFaults: boolean,
  ) {
    this.units = toUnits(template)
    this.jumps = findJumps(template, this.units)
    this.width = characters.length + 1
    const cells = (this.units.length + 1) * this.width
    this.cost = new Float64Array(cells).fill(Number.POSITIVE_INFINITY)
    this.from = new Int32Array(cells).fill(-1)
    this.via = new Uint8Array(cells)
    this.isSeparator = characters.map((character) => !isWordCharacter(character))
    this.isBoundary = findBoundaries(characters, this.isSeparator)
    this.fieldEnd = findFieldEnds(this.isSeparator)
    this.isLookAlike = findLookAlikes(characters)
  }

  run(): Alignment {
    this.cost[0] = 0
    const additions = findAdditions(this.characters, this.context)
    const dot = this.units.length - 2
    for (const [row, unit] of this.units.entries()) {
      if (unit.startsPart) this.relaxExtraText(row)
      if (row === dot) {
        for (const { start, end, reason } of additions) {
          const via = reason === 'copy_marker' ? VIA.copyMarker : VIA.doubledExtension
          this.relax(row, start, row, end, COST.copyMarker, via)
        }
      }
      for (const jump of this.jumps.get(row) ?? []) {
        for (let at = 0; at < this.width; at++) {
          const tear = jump.via === VIA.gap ? this.tearCost(at) : 0
          this.relax(row, at, jump.to, at, jump.cost + tear, jump.via)
        }
      }
      if (unit.kind === 'character') this.relaxCharacter(row, unit.character)
      else if (unit.token.kind === 'open') this.relaxOpenToken(row, unit.token)
      else this.relaxClosedToken(row, unit.token)
    }
    this.relaxExtraText(this.units.length)
    const last = this.cost.length - 1
    const fits = (this.cost[last] ?? 0) < COST.fault
    return { fits, pieces: fits || this.allowsFaults ? this.readBack(last) : [], steps: this.steps }
  }

  private costAt(row: number, at: number): number {
    return this.cost[row * this.width + at] ?? Number.POSITIVE_INFINITY
  }

  private relax(row: number, at: number, toRow: number, to: number, added: number, via: Via): void {
    this.steps++
    if (added >= COST.fault && !this.allowsFaults) return
    const target = toRow * this.width + to
    const total = this.costAt(row, at) + added
    if (total < (this.cost[target] ?? 0)) {
      this.cost[target] = total
      this.from[target] = row * this.width + at
      this.via[target] = via
    }
  }

  /** What a fault at this place costs besides: none where fields meet, much inside a word. */
  private tearCost(at: number): number {
    if (at === 0 || at === this.width - 1 || this.isSeparator[at] || this.isSeparator[at - 1]) return 0
    return this.isBoundary[at] ? COST.midField : COST.midWord
  }

  /** Text that the template does not know: single separators are cheap, words are not. */
  private relaxExtraText(row: number): void {
    if (!this.allowsFaults) return
    let start = 0
    let best = Number.POSITIVE_INFINITY
    for (let at = 1; at < this.width; at++) {
      const opened = this.costAt(row, at - 1) + COST.extraText + this.tearCost(at - 1)
      if (opened < best) {
        best = opened
        start = at - 1
      }
      best += COST.extraTextCharacter
      this.relax(row, start, row, at, best - this.costAt(row, start) + this.tearCost(at), VIA.extra)
      if (this.isSeparator[at - 1]) this.relax(row, at - 1, row, at, COST.extraSeparator, VIA.extra)
    }
  }

  private relaxCharacter(row: number, expected: string): void {
    for (let at = 0; at < this.width; at++) {
      const found = this.characters[at]
      if (found !== undefined) {
        const cost = substitutionCost(expected, found)
        this.relax(row, at, row + 1, at + 1, cost, cost === 0 ? VIA.exact : VIA.faulty)
      }
      this.relax(row, at, row + 1, at, COST.missingCharacter + this.tearCost(at), VIA.faulty)
    }
  }

  /** A running minimum over the starts makes every end cheap: one pass for values, one for values with wrong characters. */
  private relaxOpenToken(row: number, token: Token): void {
    let validStart = -1
    let wrongStart = 0
    let wrongBest = Number.POSITIVE_INFINITY
    let penalty = 0
    for (let at = 0; at < this.width; at++) {
      if (at > 0) {
        const isWrong = !token.hasCharacter(this.characters[at - 1] ?? '') || this.isLookAlike[at - 1] === true
        if (isWrong) {
          penalty += COST.openTokenCharacter
          validStart = -1
        } else if (validStart < 0 || this.costAt(row, at - 1) < this.costAt(row, validStart)) validStart = at - 1
        if (this.costAt(row, at - 1) - penalty + (isWrong ? COST.openTokenCharacter : 0) < wrongBest) {
          wrongBest = this.costAt(row, at - 1) - penalty + (isWrong ? COST.openTokenCharacter : 0)
          wrongStart = at - 1
        }
        if (validStart >= 0) this.relax(row, validStart, row + 1, at, 0, VIA.exact)
        const wrongCost = wrongBest + penalty - this.costAt(row, wrongStart)
        if (wrongCost > 0) this.relax(row, wrongStart, row + 1, at, COST.openToken + wrongCost, VIA.faulty)
      }
      this.relax(row, at, row + 1, at, COST.missingOpenToken, VIA.faulty)
    }
  }

  private relaxClosedToken(row: number, token: Token): void {
    const longest = token.longest(this.context)
    const reach = this.allowsFaults ? Math.max(longest, LONGEST_WRONG_VALUE) : longest
    for (let at = 0; at < this.width; at++) {
      this.relax(row, at, row + 1, at, COST.missingClosedToken, VIA.faulty)
      if (!Number.isFinite(this.costAt(row, at))) continue
      const furthest = Math.min(this.width - 1, at + reach)
      let text = ''
      let separators = 0
      for (let end = at + 1; end <= furthest; end++) {
        text += this.characters[end - 1]
        if (this.isSeparator[end - 1]) separators++
        this.steps++
        const length = end - at
        if (length <= longest && token.isValid(text, this.context)) this.relax(row, at, row + 1, end, 0, VIA.exact)
        else if (length <= LONGEST_WRONG_VALUE && separators <= MOST_SEPARATORS)
          this.relaxWrong(row, at, end, token, text)
      }
      const isFieldStart = at === 0 || this.isSeparator[at - 1] === true
      const fieldEnd = this.fieldEnd[at] ?? at
      if (isFieldStart && fieldEnd > furthest) {
        this.relax(row, at, row + 1, fieldEnd, COST.wrongToken, VIA.faulty)
      }
    }
  }

  private relaxWrong(row: number, at: number, end: number, token: Token, text: string): void {
    if (!this.allowsFaults || !this.canBegin(row, at) || !this.canEnd(row, end)) return
    const cost = this.wrongValueCost(token, text, end <= (this.fieldEnd[at] ?? at))
    if (cost !== null) this.relax(row, at, row + 1, end, cost, VIA.faulty)
  }

  /** A wrong value begins where a field does, or after a letter of the template: `final` in `_vfinal`. */
  private canBegin(row: number, at: number): boolean {
    const isFieldStart = at === 0 || this.isSeparator[at - 1] === true
    return this.isSeparator[at] !== true && (isFieldStart || this.isWordUnit(row - 1))
  }

  private canEnd(row: number, at: number): boolean {
    const isFieldEnd = at === this.width - 1 || this.isSeparator[at] === true
    return this.isSeparator[at - 1] !== true && (isFieldEnd || this.isWordUnit(row + 1))
  }

  private isWordUnit(row: number): boolean {
    const unit = this.units[row]
    return unit?.kind === 'character' && isWordCharacter(unit.character)
  }

  private wrongValueCost(token: Token, text: string, isOneField: boolean): number | null {
    if (token.fix(text, this.context) !== null) return COST.fixableToken
    if (token.resembles(text)) return COST.resemblingToken
    return isOneField ? COST.wrongToken : null
  }

  /** Walks the cheapest way backwards and joins the characters of each literal. */
  private readBack(last: number): Piece[] {
    const pieces: Piece[] = []
    for (let cell = last; cell > 0; ) {
      const previous = this.from[cell] ?? -1
      const via = this.via[cell]
      const row = Math.floor(previous / this.width)
      const text = this.characters.slice(previous % this.width, cell % this.width).join('')
      const unit = this.units[row]
      const toRow = Math.floor(cell / this.width)
      cell = previous
      if (via === VIA.skip) continue
      if (via === VIA.gap) {
        const parts = this.units.slice(row, toRow).filter((skipped) => skipped.startsPart)
        pieces.unshift(...parts.map(({ part }): Piece => ({ kind: 'part', part, text: '', isValid: false })))
        continue
      }
      if (via === VIA.exact || via === VIA.faulty) {
        const part = unit?.part ?? 0
        const next = pieces[0]
        if (unit?.kind === 'character' && next?.kind === 'part' && next.part === part) {
          next.text = text + next.text
          next.isValid = next.isValid && via === VIA.exact
        } else pieces.unshift({ kind: 'part', part, text, isValid: via === VIA.exact })
        continue
      }
      const reason =
        via === VIA.copyMarker ? 'copy_marker' : via === VIA.doubledExtension ? 'doubled_extension' : 'text'
      const next = pieces[0]
      if (reason === 'text' && next?.kind === 'unexpected' && next.reason === 'text') next.text = text + next.text
      else pieces.unshift({ kind: 'unexpected', reason, text })
    }
    return pieces
  }
}

function toUnits(template: Template): Unit[] {
  return template.parts.flatMap((part, index): Unit[] => {
    if (part.kind === 'token') return [{ kind: 'token', token: TOKENS[part.token], part: index, startsPart: true }]
    return Array.from(part.text, (character, at) => ({
      kind: 'character',
      character,
      part: index,
      startsPart: at === 0,
    }))
  })
}

/** A way past several units at once that takes nothing from the name. */
type Jump = { to: number; cost: number; via: Via }

/** By the unit they start from: optional parts left out, and tokens missing together with a literal beside them. */
function findJumps(template: Template, units: readonly Unit[]): Map<number, Jump[]> {
  const jumps = new Map<number, Jump[]>()
  const add = (from: number, jump: Jump) => jumps.set(from, [...(jumps.get(from) ?? []), jump])
  const optionOf = (row: number) => template.parts[units[row]?.part ?? -1]?.option ?? null
  for (const [row, unit] of units.entries()) {
    const option = optionOf(row)
    if (option !== null && (row === 0 || optionOf(row - 1) !== option)) {
      const length = units.slice(row).findIndex((_, at) => optionOf(row + at) !== option)
      add(row, { to: row + length, cost: COST.skipOption, via: VIA.skip })
    }
    if (unit.kind !== 'token') continue
    const missing = unit.token.kind === 'open' ? COST.missingOpenToken : COST.missingClosedToken
    const isLiteral = (at: number) => units[at]?.kind === 'character' && optionOf(at) === option
    let [start, end] = [row, row + 1]
    while (isLiteral(start - 1) && units[start - 1]?.part === units[row - 1]?.part) start--
    while (isLiteral(end) && units[end]?.part === units[row + 1]?.part) end++
    if (start < row) add(start, { to: row + 1, cost: missing + COST.missingLiteralBefore, via: VIA.gap })
    if (end > row + 1) add(row, { to: end, cost: missing + COST.missingLiteralAfter, via: VIA.gap })
  }
  return jumps
}

function substitutionCost(expected: string, found: string): number {
  if (found === expected) return 0
  if (plainCharacter(found).toLowerCase() === plainCharacter(expected).toLowerCase()) return COST.caseOrLookAlike
  const isWord = isWordCharacter(expected)
  if (isWordCharacter(found)) return isLetter(found) && isLetter(expected) ? COST.otherLetter : Number.POSITIVE_INFINITY
  return isWord ? COST.strayPunctuation : COST.otherSeparator
}
