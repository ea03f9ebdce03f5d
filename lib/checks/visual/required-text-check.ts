import { z } from 'zod'
import type { ReadWord, TextFacts } from '@/lib/media/measurements'
import { fail, mediaCheck, type Occurrence, pass, skip } from '../check'
import { type CopyMatch, isFound, isReadable, matchCopy, phraseKey, sureness } from '../match-copy'
import { allOf, count, decimal, verb } from '../wording'
import { around } from './found-copy'

const MOST_QUOTED = 3
/** What the reader states of words that are right but for one in a hundred at most. */
const SURE = 0.9
const RIGHT = 0.98
/** That a phrase is not there which was not found. */
const MOST = 0.99
/** Text that is to be read stands for longer (Netflix Timed Text Style Guide, general requirements: 5/6 s at least). */
const LEAST_SHOWN_SECONDS = 5 / 6

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
    'What the reader states of the least sure word, where that is below 0.9, and 0.98 from there on: of 233 generated phrases (9 to 24 px, pale and light ones, noise) 160 of the 162 whose every word was stated with 0.9 and more were read rightly, of the others 54 of 71. Found: half way from that of its words to 1, as 7 of 18 that were misread came out as the phrase that was expected (0.95 in a text layer, which may lie beneath an image). Reads otherwise: that of the words that differ, at most 0.7 where its first or last letter or a longer part was not read, where only accents differ, or where no second way of reading came to the same letters. Not found: 0.99 where all words that were read are stated with 0.9 and more on average (of 159 generated phrases 158 were found), otherwise that average; 0.6 where nothing was read, but 0.99 where image or pages are of one colour, so that there was nothing to read; at most 0.7 in a video whose frames were read more than 5/6 s apart, for which text stands at least that is to be read (Netflix Timed Text Style Guide), or where pages or ways of reading were left out.',
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
    if (match.reading?.how === 'layer') return { match, says: 'found', confidence: rounded(sureness(match.words)) }
    return { match, says: 'found', confidence: rounded((1 + readRightly(lowest(match.words))) / 2) }
  }
  if (!isReadable(match.phrase)) return { match, says: 'unreadable', confidence: 0 }
  if (match.likeness >= leastLikeness) {
    const isUnsure = match.isCut || match.differsInAccents || !isReadTwice(match, text)
    const sure = readRightly(lowest(match.differing))
    return { match, says: 'doubtful', confidence: rounded(isUnsure ? Math.min(0.7, sure) : sure) }
  }
  const { read, of, apartSeconds = Number.POSITIVE_INFINITY } = text.places
  const isPartial = !text.isComplete || read < of || (kind === 'video' && apartSeconds > LEAST_SHOWN_SECONDS)
  const most = isPartial ? 0.7 : MOST
  if (text.isBlank) return { match, says: 'missing', confidence: most }
  const sure = text.confidence === null ? 0.6 : text.confidence >= SURE ? MOST : text.confidence
  const confidence = Math.min(most, sure)
  return { match, says: 'missing', confidence: rounded(confidence) }
}

const lowest = (words: readonly ReadWord[]) => Math.min(...words.map(({ confidence }) => confidence), 1)

/**
 * How likely a phrase is what it was read as, by what the reader states of its least sure word, who is right more often than
 * it states: see the confidence of the check.
 */
const readRightly = (stated: number) => (stated >= SURE ? RIGHT : stated)

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
