/** Keys of SMPTE ST 377-1 as hexadecimal digits; byte 8 is the version of the registry, which readers pass over. */
export const LABEL = '060e2b34'
export const RANDOM_INDEX_PACK = /^060e2b34020501..0d0102010111/
/** Essence elements of the generic container (ST 379-2, table 6), and Avid's own key for the same. */
export const ESSENCE = /^060e2b34010201..0d010301|^060e2b34010201..0e040301/
/** ST 429-6, table 8. */
export const ENCRYPTED = /^060e2b34020401..0d010301027e/
/** ST 377-1, labels of operational patterns: what its packages hold (1 one, 2 a playlist, 3 edits), and how many there are (a, b, c); or OP-Atom. */
const PATTERN = /^060e2b34040101..0d010201(0[123]|10)(0[123]|..)/
const PATTERN_AT = 64
/** Bytes of a partition pack up to its list of essence containers (ST 377-1, table 5). */
export const PARTITION_BYTES = 88
/** A frame of video, audio and data each for 24 hours at 60 frames a second. */
export const MOST_ITEMS = 20_000_000

/** Of the value of a partition pack: `OP1a` to `OP3c`, or `OP-Atom` (ST 390); null for a label that is none of them. */
export function patternOf(pack: Buffer): string | null {
  const [, item, packages = ''] = PATTERN.exec(pack.toString('hex', PATTERN_AT, PATTERN_AT + 16)) ?? []
  if (item === undefined) return null
  if (item === '10') return 'OP-Atom'
  const letter = { '01': 'a', '02': 'b', '03': 'c' }[packages]
  return letter ? `OP${Number(item)}${letter}` : null
}
