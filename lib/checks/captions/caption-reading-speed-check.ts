import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { decimal, verb } from '../wording'
import { amount, at, captionsOf, notCaptions, occurrencesOf } from './captions'

export const captionReadingSpeedCheck = mediaCheck({
  id: 'caption_reading_speed_check',
  label: 'Caption reading speed',
  kinds: ['other'],
  describe:
    'Each caption stands long enough for what it says: characters a second, spaces and punctuation included, markup and marks on letters not; words a minute where that is asked for, of captions of three words and more. Exactly at the limit passes; a tenth is rounding of times.',
  severity: 'advisory',
  thresholds: z.strictObject({
    max_characters_per_second: z.number().positive().nullable().default(20).meta({
      title: 'Fastest caption',
      unit: 'characters/s',
      source:
        'Netflix Timed Text Style Guide, English: 20 characters per second for adults (17 for children); other scripts have other limits',
    }),
    max_words_per_minute: z.number().positive().nullable().default(null).meta({
      title: 'Most words a minute',
      unit: 'words/min',
      source: 'Reasoned: none unless set; the BBC Subtitle Guidelines recommend 160 to 180',
    }),
  }),
  notFor: notCaptions,
  run({ media, name }, { max_characters_per_second: fastest, max_words_per_minute: wordiest }) {
    const captions = captionsOf(media)
    if (fastest === null && wordiest === null) return skip('No reading speed is set for this media category.')
    if (captions.fastest.length === 0) return skip('The file holds no caption with text.')
    const [top] = captions.fastest
    const quick = fastest === null ? [] : captions.fastest.filter(({ value }) => value > fastest + 0.1)
    const wordy = wordiest === null ? [] : captions.wordiest.filter(({ value }) => value > wordiest + 1)
    const extras = {
      measured: Number(decimal(top?.value ?? 0, 1)),
      unit: 'characters/s',
      ...(fastest !== null && { expected: `at most ${fastest}` }),
    }
    const sentences = [
      quick[0] &&
        `${amount(quick)} ${verb(quick.length, 'is', 'are')} faster than ${decimal(fastest ?? 0, 1)} characters a second, the fastest ${decimal(quick[0].value, 1)} (${at(quick[0])})`,
      wordy[0] &&
        `${amount(wordy)} ${verb(wordy.length, 'has', 'have')} more than ${decimal(wordiest ?? 0, 0)} words a minute, the most ${decimal(wordy[0].value, 0)} (${at(wordy[0])})`,
    ].filter((each) => each !== undefined)
    if (sentences.length === 0)
      return pass(`The fastest caption has ${decimal(top?.value ?? 0, 1)} characters a second.`, extras)
    return fail(`${sentences.map((each) => each.replace(/^a/, 'A')).join('. ')}.`, {
      ...extras,
      fix: `Let these captions of “${name}” stand longer, or shorten what they say.`,
      occurrences: occurrencesOf([...quick, ...wordy]),
    })
  },
})
