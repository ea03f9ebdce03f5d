import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtLeast, isAtMost } from '../limits'
import { bitRate, bounds } from '../wording'

const bound = (title: string) =>
  z.number().positive().nullable().default(null).meta({
    title,
    unit: 'kbit/s',
    source: 'Reasoned: none unless set; connected TV asks for 15,000 to 30,000 kbit/s of video',
  })

export const bitrateCheck = mediaCheck({
  id: 'bitrate_check',
  label: 'Bit rate',
  kinds: ['video', 'audio'],
  describe:
    'Average bits per second: of the video stream (of the whole file where the stream states none), of the whole file in audio.',
  severity: 'advisory',
  thresholds: z.strictObject({ min_kbps: bound('Least bit rate'), max_kbps: bound('Greatest bit rate') }),
  run({ media, name, kind }, { min_kbps, max_kbps }) {
    const bits = media.kind === 'video' ? (media.videoBitrate ?? media.bitrate) : media.bitrate
    const what = kind === 'audio' ? 'audio' : media.kind === 'video' && media.videoBitrate === null ? 'file' : 'video'
    const has = `The ${what} runs at ${bitRate(bits)}`
    const wanted = bounds(min_kbps, max_kbps, (value) => bitRate(value * 1000))
    if (wanted === null) return skip(`${has}; no bit rate is set for this media category.`)
    const kbps = bits / 1000
    const extras = { measured: Math.round(kbps), expected: wanted, unit: 'kbit/s' }
    const details = `${has}; ${wanted} is wanted.`
    if ((min_kbps === null || isAtLeast(kbps, min_kbps)) && (max_kbps === null || isAtMost(kbps, max_kbps)))
      return pass(details, extras)
    return fail(details, {
      ...extras,
      fix: `Export “${name}” from its source at ${wanted}; encoding the present file again at a higher rate brings nothing back.`,
    })
  },
})
