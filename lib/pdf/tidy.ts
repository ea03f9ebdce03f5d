/** Everything a page cannot show or that would rearrange it: controls, bidirectional overrides, private use, tags. */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\p{Variation_Selector}\ufeff\ufff9-\ufffc\u{e0000}-\u{e0fff}]/gu
/** Marks heaped on one letter would climb over the lines around it. */
const HEAPED_MARKS = /(\p{M}{3})\p{M}+/gu
/** A joiner between images: the faces know no families and professions, only their members. */
const LOOSE_JOINER = /\u200d(?![\p{L}\p{M}])/gu
/** What encloses the character before it (keycaps, circles): no face draws it around another face's digit. */
const ENCLOSING = /\p{Me}/gu

/** The text without what no page shows: controls, marks of direction, heaps of marks. */
export const tidy = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replace(/[^\S\n]/gu, ' ')
    .replace(UNPRINTABLE, (found) => (found === '\n' ? found : ''))
    .replace(ENCLOSING, '')
    .replace(HEAPED_MARKS, '$1')
    .replace(LOOSE_JOINER, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
