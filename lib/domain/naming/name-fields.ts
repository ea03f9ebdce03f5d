import { isDigit, isLetter } from './characters'
import type { NamingContext } from './tokens'

/** Where the words and fields of a file name lie, and what machines have added to it. */

/** Places where a word, a number or a field may begin or end. */
export function findBoundaries(characters: readonly string[], isSeparator: readonly boolean[]): boolean[] {
  const kindOf = (character: string) => {
    if (isDigit(character)) return 'digit'
    if (!isLetter(character)) return 'other'
    return character === character.toLowerCase() ? 'lower' : 'upper'
  }
  const boundaries = characters.map((character, at) => {
    const before = characters[at - 1]
    if (before === undefined || isSeparator[at] || isSeparator[at - 1]) return true
    const [left, right] = [kindOf(before), kindOf(character)]
    return left !== right && !(left === 'upper' && right === 'lower')
  })
  return [...boundaries, true]
}

/** For each place the end of the field it lies in. */
export function findFieldEnds(isSeparator: readonly boolean[]): number[] {
  const ends: number[] = []
  let end = isSeparator.length
  for (let at = isSeparator.length - 1; at >= 0; at--) {
    if (isSeparator[at]) end = at
    ends[at] = end
  }
  return ends
}

const COPY_MARKERS = [
  / ?\(\d{1,3}\)$/,
  /(?: - |[ _-])copy(?: ?\(?\d{1,3}\)?)?$/i,
  /(?: - |[ _-])kopie(?: ?\(?\d{1,3}\)?)?$/i,
]
const USUAL_EXTENSIONS =
  'jpg jpeg png gif webp tif tiff psd ai eps pdf svg indd mp4 mov avi webm mkv wav mp3 aac zip html'.split(' ')

export type Addition = { start: number; end: number; reason: 'copy_marker' | 'doubled_extension' }

/** What machines put between a name and its extension: `hero (1).jpg`, `hero - Copy.jpg`, `hero.jpg.jpg`. */
export function findAdditions(characters: readonly string[], context: NamingContext): Addition[] {
  const dot = characters.lastIndexOf('.')
  const end = dot < 0 ? characters.length : dot
  const tail = characters.slice(Math.max(0, end - 24), end).join('')
  const found: Addition[] = COPY_MARKERS.flatMap((marker) => {
    const length = Array.from(marker.exec(tail)?.[0] ?? '').length
    return length > 0 ? [{ start: end - length, end, reason: 'copy_marker' as const }] : []
  })
  const inner = /\.([a-z0-9]{2,5})$/i.exec(tail)?.[1]?.toLowerCase()
  if (inner !== undefined && (USUAL_EXTENSIONS.includes(inner) || context.extensions.includes(inner))) {
    found.push({ start: end - inner.length - 1, end, reason: 'doubled_extension' })
  }
  return found
}
