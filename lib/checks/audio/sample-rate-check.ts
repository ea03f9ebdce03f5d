import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameAudioCodec } from '../recipe'
import { anyOf, decimal } from '../wording'

const kilohertz = (hertz: number) => `${decimal(hertz / 1000, 3)} kHz`

export const sampleRateCheck = mediaCheck({
  id: 'sample_rate_check',
  label: 'Sample rate',
  kinds: ['video', 'audio'],
  describe: 'Samples per second of each audio track.',
  severity: 'blocking',
  thresholds: z.strictObject({
    rates_hz: z.array(z.number().int().positive()).default([]).meta({
      title: 'Allowed sample rates',
      unit: 'Hz',
      source: 'Reasoned: any unless set; 48,000 Hz goes with video (EBU R 85, AES5)',
    }),
  }),
  run({ media, name }, { rates_hz }) {
    if (media.audio.length === 0) return skip('The file has no audio track.')
    const found = [...new Set(media.audio.map((stream) => stream.sampleRate))]
    const has = `The audio has ${found.map(kilohertz).join(' and ')}`
    if (rates_hz.length === 0) return skip(`${has}; no sample rate is set for this media category.`)
    const wanted = anyOf(rates_hz.map(kilohertz))
    const details = `${has}; ${wanted} is wanted.`
    const extras = {
      measured: found.length === 1 ? (found[0] ?? 0) : found.join(', '),
      expected: rates_hz.join(', '),
      unit: 'Hz',
    }
    const wrong = media.audio.flatMap((stream, index) =>
      rates_hz.includes(stream.sampleRate) ? [] : [{ stream: index }],
    )
    if (wrong.length === 0) return pass(details, extras)
    return fail(details, {
      ...extras,
      occurrences: wrong,
      fix: ffmpeg(
        name,
        `${media.kind === 'video' ? '-c:v copy ' : ''}-ar ${rates_hz[0]}${sameAudioCodec(media.audio[0]?.codec)}`,
      ),
    })
  },
})
