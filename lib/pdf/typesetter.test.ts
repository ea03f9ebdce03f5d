import { expect, test } from 'vitest'
import { AS_SEEN } from './testing-bidi'
import { type Line, Typesetter } from './typesetter'

/** The characters of a line as their glyphs are drawn, from the left. */
const seen = ({ runs }: Line) =>
  runs
    .flatMap(({ face, text, isRightToLeft }) => face.font.layout(text, isRightToLeft ? [] : undefined).glyphs)
    .flatMap(({ codePoints }) => codePoints)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .join('')

test('lines from right to left are seen as another implementation of the bidirectional algorithm sees them', async () => {
  const set = await Typesetter.for(AS_SEEN.flat())
  const drawn = AS_SEEN.map(([typed]) => [typed, seen(set.oneLine(typed, Number.POSITIVE_INFINITY, 9))])
  expect(drawn).toEqual(AS_SEEN)
})

test('a line that is broken keeps the directions it has in its paragraph', async () => {
  const text = 'Name: שלום, עולם, טוב'
  const set = await Typesetter.for([text])
  // The comma stands between two words of Hebrew, so it belongs to them wherever the line ends.
  const width = set.width('Name: שלום, עולם,', 9) + 0.1
  expect(set.lines(text, width, 9).map(seen)).toEqual(['Name: ,םלוע ,םולש', 'בוט'])
  const totals = 'סכום הכול 1,234.50, שולם'
  expect(set.lines(totals, set.width('סכום הכול 1,234.50,', 9) + 0.1, 9).map(seen)).toEqual([
    ',1,234.50 לוכה םוכס',
    'םלוש',
  ])
})

test('an emoji between two words of Hebrew stays between them', async () => {
  const text = 'Spot: שלום 🎬 עולם'
  const set = await Typesetter.for([text])
  expect(seen(set.oneLine(text, 500, 9))).toBe('Spot: םלוע 🎬 םולש')
})

test('a text that is cut keeps its direction', async () => {
  const text = `שלום ${'Latin words go on and on '.repeat(4)}`
  const set = await Typesetter.for([text])
  const [line] = set.shortened(text, 120, 9, 1)
  expect(line?.isRightToLeft).toBe(true)
  expect(seen(line as Line)).toMatch(/^….*םולש$/)
})
