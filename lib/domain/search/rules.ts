/** What was typed, and how texts and names fit it. Pure. */

/** More words than these are not looked at. */
const MOST_WORDS = 8
const EXCERPT = 180

/** The words of what was typed, case-folded and NFC. */
export const wordsOf = (q: string): string[] =>
  q.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)

/** Of a long word some are enough to leave few names; each costs time. */
const MOST_GRAMS = 7

/** The parts of three characters by which an index finds names that hold a word; none of shorter words. */
export function gramsOf(word: string): string[] {
  const characters = [...word]
  const last = characters.length - 3
  if (last < 0) return []
  const count = Math.min(last + 1, MOST_GRAMS)
  const places = Array.from({ length: count }, (_, n) => (count === 1 ? 0 : Math.round((n * last) / (count - 1))))
  return [...new Set(places)].map((place) => characters.slice(place, place + 3).join(''))
}

/** Of all words together no more: of each as many, the longest word first where they are not enough for all. */
const MOST_GRAMS_OF_ALL = 4

/** The parts by which an index finds names that hold all of the words. */
export function gramsOfAll(words: readonly string[]): string[] {
  const lists = words.map(gramsOf).sort((a, b) => b.length - a.length)
  const share = Math.max(1, Math.floor(MOST_GRAMS_OF_ALL / Math.max(1, lists.length)))
  return [...new Set(lists.flatMap((list) => spread(list, share)))]
}

/** So many of a list, from its beginning to its end. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list]
  return list.filter((_, n) => Math.floor((n * count) / list.length) !== Math.floor(((n - 1) * count) / list.length))
}

/** How many keys a word of so many characters may be off: typing mistakes grow with it. */
const slack = (length: number) => (length >= 9 ? 2 : length >= 6 ? 1 : 0)

/**
 * The parts of a word of which at least one is whole where up to `slack` keys are wrong; none for words too short to be
 * guessed. Each has three characters or more, so that an index finds it.
 */
export function piecesOf(word: string): string[] {
  const characters = [...word]
  const count = slack(characters.length) + 1
  if (count === 1) return []
  const size = Math.floor(characters.length / count)
  return Array.from({ length: count }, (_, n) =>
    characters.slice(n * size, n === count - 1 ? undefined : (n + 1) * size).join(''),
  )
}

/** Whether some part of the name, between marks and spaces, is the word or begins with it, but for a few wrong keys. */
export function isClose(name: string, word: string): boolean {
  const most = slack([...word].length)
  return name
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((part) => part && keysBetween(word, part) <= most)
}

/** How many keys (one wrong, missing, too many, two swapped) lie between the word and the beginning of the other. */
function keysBetween(word: string, other: string): number {
  const [a, b] = [[...word], [...other].slice(0, [...word].length + 2)]
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return Math.min(...last)
}

/** The part of a text around the first of the words that it has, on one line. */
export function excerptOf(text: string, words: readonly string[]): string {
  const whole = text.replace(/\s+/g, ' ').trim()
  if (whole.length <= EXCERPT) return whole
  const folded = whole.toLowerCase()
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0)
  const first = Math.max(0, Math.min(...(places.length > 0 ? places : [0])) - 60)
  const from = first === 0 ? 0 : whole.indexOf(' ', first) + 1
  const part = whole.slice(from, from + EXCERPT).replace(/[\ud800-\udbff]$/, '')
  return `${from > 0 ? '… ' : ''}${part}${from + EXCERPT < whole.length ? ' …' : ''}`
}

/** The parts of a text, those marked that are words that were searched for. */
export function marked(text: string, words: readonly string[]): { text: string; isHit: boolean }[] {
  const wanted = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (wanted.length === 0) return [{ text, isHit: false }]
  return text
    .split(new RegExp(`(${wanted.join('|')})`, 'giu'))
    .map((part, index) => ({ text: part, isHit: index % 2 === 1 }))
    .filter((part) => part.text)
}
