import { z } from 'zod'
import type { ClosedCaptions } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip, warn } from '../check'
import { ffmpeg } from '../recipe'
import { allOf, anyOf, clock, count } from '../wording'

const CARRIAGES = ['cea608', 'cea708', 'track'] as const
type Carriage = (typeof CARRIAGES)[number]
const NAMES: Readonly<Record<Carriage, string>> = {
  cea608: 'CEA-608 captions',
  cea708: 'CEA-708 captions',
  track: 'a track of captions or subtitles',
}

export const closedCaptionCheck = mediaCheck({
  id: 'closed_caption_check',
  label: 'Closed captions',
  kinds: ['video'],
  describe:
    'Captions that travel inside the video: CEA-608 and CEA-708 in the user data of its frames (ATSC A/53 Part 4), read to the letter, and tracks of captions or subtitles. Data that only pad, as encoders send without captions, are no captions, and are a fault of their own: players offer captions that never come.',
  severity: 'blocking',
  confidence: 'Captions: 1, their letters were read. Caption data without a letter: 0.9.',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'required', 'forbidden']).default('any').meta({
      title: 'Captions inside the video are',
      source: 'Reasoned: either unless set; 47 CFR 79.1 requires them on television in the USA',
    }),
    carriages: z.array(z.enum(CARRIAGES)).default([]).meta({
      title: 'Ways in which they have to be there',
      source: 'Reasoned: any of them where none is named; ATSC A/53 Part 4 asks for CEA-608 and CEA-708 together',
    }),
  }),
  run({ media, name }, { rule, carriages }) {
    if (media.closedCaptions === undefined || media.captionTracks === undefined)
      return skip('Not every frame of the video was read for captions.')
    const data = media.closedCaptions
    const there: Carriage[] = [
      ...(data && data.cea608[0] + data.cea608[1] > 0 ? (['cea608'] as const) : []),
      ...(data && data.cea708.length > 0 ? (['cea708'] as const) : []),
      ...(media.captionTracks.length > 0 ? (['track'] as const) : []),
    ]
    const has = there.length === 0 ? 'The video has no captions' : `The video has ${described(there, data)}`
    const extras = { measured: there.length === 0 ? 'none' : there.join(', ') }
    const isEmpty = data !== null && there.every((carriage) => carriage === 'track')

    if (rule === 'forbidden') {
      const expected = 'none'
      if (there.length === 0 && !isEmpty) return pass(`${has}, as wanted.`, { ...extras, expected })
      return fail(`${isEmpty ? 'The frames of the video carry caption data' : has}; none is wanted.`, {
        ...extras,
        expected,
        fix:
          media.codec === 'h264'
            ? ffmpeg(name, '-map 0:v -map 0:a? -c copy -bsf:v filter_units=remove_types=6')
            : `Export “${name}” without captions and without caption data.`,
      })
    }
    if (rule === 'required') {
      const missing = carriages.filter((carriage) => !there.includes(carriage))
      const expected = carriages.length > 0 ? allOf(carriages.map((one) => NAMES[one])) : 'captions'
      if (there.length === 0 || missing.length > 0) {
        const padding = isEmpty ? ' Its frames carry caption data that never say anything.' : ''
        return fail(`${has}; ${expected} are wanted.${padding}`, {
          ...extras,
          expected,
          fix: `Export “${name}” with ${missing.length > 0 ? allOf(missing.map((one) => NAMES[one])) : anyOf(CARRIAGES.map((one) => NAMES[one]))}: embed them in the edit or the encoder, and look that they reach the file.`,
        })
      }
      return pass(`${has}, as wanted.`, { ...extras, expected })
    }
    if (isEmpty) {
      return warn(
        'The frames of the video carry caption data that never say anything: players offer captions that do not come.',
        {
          ...extras,
          confidence: 0.9,
          expected: 'captions, or no caption data',
          fix: `Export “${name}” with its captions, or without caption data.`,
        },
      )
    }
    return there.length === 0
      ? skip(`${has}; they are neither required nor forbidden in this media category.`)
      : pass(`${has}.`, extras)
  },
})

function described(there: readonly Carriage[], data: ClosedCaptions | null): string {
  const span =
    data?.from !== null && data?.until !== undefined && data?.until !== null
      ? ` from ${clock(data.from ?? 0)} to ${clock(data.until)}`
      : ''
  return allOf(
    there.map((carriage) => {
      if (carriage === 'track') return NAMES.track
      const letters =
        carriage === 'cea608'
          ? (data?.cea608[0] ?? 0) + (data?.cea608[1] ?? 0)
          : (data?.cea708 ?? []).reduce((sum, { bytes }) => sum + bytes, 0)
      return `${NAMES[carriage]} (${count(letters, 'character')}${span})`
    }),
  )
}
