import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { seconds, verb } from '../wording'
import { amount, at, captionsOf, notCaptions, occurrencesOf, ROUNDING } from './captions'

const GUIDE = 'Netflix Timed Text Style Guide, General Requirements, 2 (duration)'

export const captionTimingCheck = mediaCheck({
  id: 'caption_timing_check',
  label: 'Caption timing',
  kinds: ['other'],
  describe:
    'No two captions share one place of the screen at once, unless they begin and end together, and each stands long enough to be read and no longer than it should. Exactly as long passes; less than a millisecond is rounding.',
  severity: 'advisory',
  thresholds: z.strictObject({
    overlaps: z.boolean().default(false).meta({
      title: 'Overlaps are allowed',
      source: 'Reasoned: players of SRT and television show one caption at a time, and drop or stack the other',
    }),
    min_seconds: z
      .number()
      .positive()
      .nullable()
      .default(0.833)
      .meta({
        title: 'Shortest caption',
        unit: 's',
        source: `${GUIDE}: 5/6 of a second`,
      }),
    max_seconds: z
      .number()
      .positive()
      .nullable()
      .default(7)
      .meta({ title: 'Longest caption', unit: 's', source: `${GUIDE}: 7 seconds` }),
    min_gap_seconds: z.number().positive().nullable().default(null).meta({
      title: 'Least gap between captions that do not touch',
      unit: 's',
      source: 'Reasoned: none unless set; streaming services ask for two frames',
    }),
  }),
  notFor: notCaptions,
  run({ media, name }, { overlaps, min_seconds, max_seconds, min_gap_seconds }) {
    const captions = captionsOf(media)
    if (captions.cues === 0) return skip('The file holds no caption.')
    const found = [
      overlaps
        ? null
        : ([
            captions.overlaps.filter(({ value }) => value > ROUNDING),
            (list) => `${amount(list, 'overlap')}, the longest of ${seconds(list[0]?.value ?? 0)}`,
            'none is wanted',
          ] as Found),
      min_seconds === null
        ? null
        : ([
            captions.shortest.filter(({ value }) => value < min_seconds - ROUNDING),
            (list) =>
              `${amount(list)} ${verb(list.length, 'stands', 'stand')} too briefly, the briefest ${seconds(list[0]?.value ?? 0)}`,
            `at least ${seconds(min_seconds)} is wanted`,
          ] as Found),
      max_seconds === null
        ? null
        : ([
            captions.longest.filter(({ value }) => value > max_seconds + ROUNDING),
            (list) =>
              `${amount(list)} ${verb(list.length, 'stands', 'stand')} too long, the longest ${seconds(list[0]?.value ?? 0)}`,
            `at most ${seconds(max_seconds)} is wanted`,
          ] as Found),
      min_gap_seconds === null
        ? null
        : ([
            captions.smallestGaps.filter(({ value }) => value < min_gap_seconds - ROUNDING),
            (list) => `${amount(list, 'gap')} too small, the smallest ${seconds(list[0]?.value ?? 0)}`,
            `at least ${seconds(min_gap_seconds)} is wanted`,
          ] as Found),
    ].filter((each): each is Found => each !== null)
    const wrong = found.filter(([places]) => places.length > 0)
    if (wrong.length === 0)
      return pass(
        `The captions stand between ${seconds(captions.shortest[0]?.value ?? 0)} and ${seconds(captions.longest[0]?.value ?? 0)}, and none overlap beyond what is allowed.`,
        { measured: 0, expected: 0 },
      )
    const sentences = wrong.map(
      ([places, say, wanted]) => `${say(places)} (${at(places[0] as (typeof places)[number])}); ${wanted}`,
    )
    return fail(`${capital(sentences.join('. '))}.`, {
      measured: wrong.reduce((sum, [places]) => sum + places.length, 0),
      expected: 0,
      fix: `Retime the captions of “${name}” at these places, for instance in Subtitle Edit: Tools, Fix common errors.`,
      occurrences: occurrencesOf(wrong.flatMap(([places]) => places)),
    })
  },
})

type Places = ReturnType<typeof captionsOf>['overlaps']
type Found = [places: Places, say: (places: Places) => string, wanted: string]

const capital = (text: string) =>
  text.replace(/(^|\. )([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
