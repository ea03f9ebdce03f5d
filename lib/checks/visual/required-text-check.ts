import { z } from 'zod'
import type { ReadWord, TextFacts } from '@/lib/media/measurements'
import { fail, mediaCheck, type Occurrence, pass, skip } from '../check'
import { type CopyMatch, isFound, isReadable, matchCopy, phraseKey, sureness } from '../match-copy'
import { allOf, count, decimal, verb } from '../wording'
import { around } from './found-copy'

const MOST_QUOTED = 3

/** What became of one phrase. `confidence`: of that statement. */
type Found = { match: CopyMatch; says: 'found' | 'doubtful' | 'missing' | 'unreadable'; confidence: number }

export const requiredTextCheck = mediaCheck({
  id: 'required_text_check',
  label: 'Required copy',
  kinds: ['image', 'video', 'document'],
  needs: ['text'],
  describe:
    'Every phrase of the batch’s required copy is in the image, in some frame of the video (of at most nineteen all over it), or on some page. A PDF is searched in its text layer first, of which only counts what can be seen: words without contrast are left out, and the layer of a page with invisible text. What is not there, and everything else, is read from the pixels (Tesseract, Latin script). Case, spaces, line breaks, quotes, dashes and letters that typefaces hardly distinguish (0 and O, 1 and l, rn and m) do not matter. A phrase that reads otherwise is quoted as it was read.',
  severity: 'blocking',
  confidence:
    'Found: half way from the mean confidence of its words to 1, as letters do not agree by chance (0.95 in a text layer, which may lie beneath an image). Reads otherwise: 0.95 × the lowest confidence of the words that differ, at most 0.7 where its first or last letter or a longer part was not read, where only accents differ, or where no second way of reading came to the same letters. Not found: 0.95 × the mean confidence of all that was read (of 100 phrases in letters of 11 to 30 px, light and dark, in four typefaces, all were found), 0.6 where nothing was, but 0.99 where image or pages are of one colour, so that there was nothing to read; at most 0.7 in a video, of which some frames are read, or where pages or ways of reading were left out.',
  thresholds: z.strictObject({
    least_likeness: z.number().min(0.5).max(0.99).default(0.7).meta({
      title: 'Letters in common from which other text counts as a wrong version of the phrase',
      unit: '0..1',
      source: 'Reasoned: at 0.7 a sentence with one wrong word of four is still distinguished from another sentence',
    }),
  }),
  notFor: (media, { requiredCopy = [] }) => {
    if (requiredCopy.length === 0) return 'The batch requires no copy.'
    return media.kind === 'image' && media.format === 'eps' ? 'An EPS drawing is not drawn here.' : null
  },
  run({ name, kind, expectations: { requiredCopy = [] }, measures: { text } }, { least_likeness }) {
    if (requiredCopy.length === 0) return skip('The batch requires no copy.')
    const found = requiredCopy.map((phrase) => evaluate(matchCopy(phrase, text.readings), text, kind, least_likeness))
    const faulty = found.filter(({ says }) => says === 'doubtful' || says === 'missing')
    const there = found.filter(({ says }) => says === 'found')
    const unreadable = found.filter(({ says }) => says === 'unreadable')
    const extras = {
      measured: there.length,
      expected: requiredCopy.length,
      unit: requiredCopy.length === 1 ? 'phrase' : 'phrases',
    }
    if (faulty.length > 0) {
      return fail(`${sentences(found, text, kind)}`, {
        ...extras,
        // The surest fault decides: a file that surely lacks one phrase is faulty, whatever the others are.
        confidence: Math.max(...faulty.map(({ confidence }) => confidence)),
        occurrences: places(faulty),
        fix: recipe(name, faulty),
      })
    }
    if (unreadable.length > 0) {
      const phrases = unreadable.map(({ match }) => quoted(match.phrase))
      return {
        failed: `${allOf(phrases)} ${phrases.length === 1 ? 'is' : 'are'} not in Latin script, which is all that can be read from images`,
      }
    }
    return pass(sentences(found, text, kind), {
      ...extras,
      confidence: Math.min(...there.map(({ confidence }) => confidence)),
      occurrences: places(there),
    })
  },
})

function evaluate(match: CopyMatch, text: TextFacts, kind: string, leastLikeness: number): Found {
  const rounded = (confidence: number) => Math.round(confidence * 100) / 100
  if (isFound(match)) {
    const sure = sureness(match.words)
    return { match, says: 'found', confidence: rounded(match.reading?.how === 'layer' ? sure : (1 + sure) / 2) }
  }
  if (!isReadable(match.phrase)) return { match, says: 'unreadable', confidence: 0 }
  if (match.likeness >= leastLikeness) {
    const lowest = Math.min(...match.differing.map(({ confidence }) => confidence), 1)
    const isUnsure = match.isCut || match.differsInAccents || !isReadTwice(match, text)
    const most = isUnsure ? 0.7 : 0.95
    return { match, says: 'doubtful', confidence: rounded(Math.min(most, lowest * 0.95)) }
  }
  const isPartial = kind === 'video' || !text.isComplete || text.places.read < text.places.of
  const most = isPartial ? 0.7 : 0.95
  if (text.isBlank) return { match, says: 'missing', confidence: isPartial ? most : 0.99 }
  const confidence = text.confidence === null ? 0.6 : Math.min(most, 0.95 * text.confidence)
  return { match, says: 'missing', confidence: rounded(confidence) }
}

/** Whether two ways of reading came to the same letters; a text layer is not read but stated. */
function isReadTwice({ phrase, words, reading }: CopyMatch, { readings }: TextFacts): boolean {
  if (reading?.how === 'layer') return true
  const key = phraseKey(asRead(words))
  return readings.filter((each) => phraseKey(asRead(matchCopy(phrase, [each]).words)) === key).length > 1
}

const quoted = (phrase: string) => `“${phrase.length > 120 ? `${phrase.slice(0, 119)}…` : phrase}”`
const asRead = (words: readonly ReadWord[]) => words.map(({ text }) => text).join(' ')

function sentences(found: readonly Found[], text: TextFacts, kind: string): string {
  const of = (says: Found['says']) => found.filter((each) => each.says === says).map(({ match }) => match)
  const [there, doubtful, missing] = [of('found'), of('doubtful'), of('missing')]
  const parts = [
    there.length === found.length
      ? `${found.length === 1 ? 'The required phrase was' : `All ${found.length} required phrases were`} found`
      : `${there.length} of ${count(found.length, 'required phrase')} ${there.length === 1 ? 'was' : 'were'} found`,
    ...doubtful
      .slice(0, MOST_QUOTED)
      .map(({ phrase, words }) => `expected ${quoted(phrase)}, read ${quoted(asRead(words))}`),
    ...(missing.length > 0
      ? [`${allOf(missing.slice(0, MOST_QUOTED).map(({ phrase }) => quoted(phrase)))} not found`]
      : []),
  ]
  const more =
    doubtful.length + missing.length - Math.min(MOST_QUOTED, doubtful.length) - Math.min(MOST_QUOTED, missing.length)
  return `${parts.join('; ')}${more > 0 ? `; and ${more} more` : ''}. ${whatWasRead(text, kind)}`
}

/** How the text was come by, so that the finding can be weighed. */
function whatWasRead({ words, confidence, places, isComplete, languages }: TextFacts, kind: string): string {
  const where = kind === 'video' ? 'frame' : 'page'
  const among = places.of > 1 ? ` on ${places.read} of ${count(places.of, where)}` : ''
  const by = languages.length === 0 ? ' in the text layer' : ''
  const sure = confidence === null ? '' : `, ${decimal(confidence * 100, 0)} % sure on average`
  const cut = isComplete ? '' : '; the time was up before every way of reading was tried'
  if (words === 0) return `No text could be read${among}${cut}.`
  return `${count(words, 'word')} ${verb(words, 'was', 'were')} read${by}${among}${sure}${cut}.`
}

function places(found: readonly Found[]): Occurrence[] {
  return found.flatMap(({ match: { words, reading } }) => {
    const region = around(words)
    if (!region || !reading) return []
    const { page, time } = reading
    return [{ ...(time !== undefined && { start: time, end: time }), page: page ?? undefined, region }].map(
      ({ page: on, ...place }) => (on === undefined ? place : { ...place, page: on }),
    )
  })
}

function recipe(name: string, faulty: readonly Found[]): string {
  const steps = faulty
    .slice(0, MOST_QUOTED)
    .map(({ match, says }) =>
      says === 'doubtful'
        ? `change ${quoted(asRead(match.words))} to ${quoted(match.phrase)}`
        : `add ${quoted(match.phrase)}`,
    )
  return `In “${name}”: ${steps.join('; ')}. Letters at least 10 px high with a contrast of 4.5:1 (WCAG 2.2, 1.4.3) can be read by people and by this check; then export again.`
}
