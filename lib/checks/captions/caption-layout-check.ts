import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { count, decimal, verb } from '../wording'
import { amount, at, captionsOf, notCaptions, occurrencesOf } from './captions'

export const captionLayoutCheck = mediaCheck({
  id: 'caption_layout_check',
  label: 'Caption lines',
  kinds: ['other'],
  describe:
    'How long the lines of captions are and how many stand at once at one place of the screen, as the file breaks them. Markup and marks on letters do not count.',
  severity: 'advisory',
  thresholds: z.strictObject({
    max_characters: z.number().int().positive().nullable().default(42).meta({
      title: 'Longest line',
      unit: 'characters',
      source: 'Netflix Timed Text Style Guide, English: 42 characters; teletext has 37 (EBU Tech 3264)',
    }),
    max_lines: z.number().int().positive().nullable().default(2).meta({
      title: 'Most lines',
      source: 'Netflix Timed Text Style Guide, General Requirements, 5 (line treatment): two lines',
    }),
  }),
  notFor: notCaptions,
  run({ media, name }, { max_characters, max_lines }) {
    const captions = captionsOf(media)
    if (max_characters === null && max_lines === null)
      return skip('Neither length nor number of lines is set for this media category.')
    if (captions.widest.length === 0) return skip('The file holds no caption with text.')
    const [widest, tallest] = [captions.widest[0], captions.tallest[0]]
    const wide = max_characters === null ? [] : captions.widest.filter(({ value }) => value > max_characters)
    const tall = max_lines === null ? [] : captions.tallest.filter(({ value }) => value > max_lines)
    const sentences = [
      wide[0] &&
        `${amount(wide)} ${verb(wide.length, 'has', 'have')} lines of more than ${count(max_characters ?? 0, 'character')}, the longest ${decimal(wide[0].value, 0)} (${at(wide[0])})`,
      tall[0] &&
        `${amount(tall)} ${verb(tall.length, 'has', 'have')} more than ${count(max_lines ?? 0, 'line')}, the most ${decimal(tall[0].value, 0)} (${at(tall[0])})`,
    ].filter((each) => each !== undefined)
    const extras = {
      measured: widest?.value ?? 0,
      unit: 'characters',
      ...(max_characters !== null && { expected: `at most ${max_characters}` }),
    }
    if (sentences.length === 0)
      return pass(
        `The longest line has ${count(widest?.value ?? 0, 'character')}, and at most ${count(tallest?.value ?? 0, 'line')} stand at once.`,
        extras,
      )
    return fail(`${sentences.map((each) => each.replace(/^a/, 'A')).join('. ')}.`, {
      ...extras,
      fix: `Break or shorten these captions of “${name}”, for instance in Subtitle Edit: Tools, Break long lines.`,
      occurrences: occurrencesOf([...wide, ...tall]),
    })
  },
})
