import { z } from 'zod'
import { fail, mediaCheck, pass, skip, warn } from '../check'
import { isAtMost } from '../limits'
import { ffmpeg, sameVideoCodec } from '../recipe'
import { anyOf, decimal } from '../wording'

const rate = (value: number) => `${decimal(value, 3)} frames per second`

/** `30000/1001` for 29.97: what ffmpeg needs to keep the broadcast rates exact. */
function rational(value: number): string {
  const doubled = Math.round((value * 1001) / 1000)
  return Math.abs((doubled * 1000) / 1001 - value) < 0.005 && !Number.isInteger(value)
    ? `${doubled * 1000}/1001`
    : decimal(value, 3)
}

export const frameRateCheck = mediaCheck({
  id: 'frame_rate_check',
  label: 'Frame rate',
  kinds: ['video'],
  describe:
    'Frames per second, from the time stamps, against the rates of the media category or the rate the file name says; and whether they come evenly.',
  severity: 'blocking',
  thresholds: z.strictObject({
    rates: z.array(z.number().positive()).default([]).meta({
      title: 'Allowed rates',
      unit: 'frames/s',
      source: 'Reasoned: the rate in the file name where none is listed; 25 in Europe, 23.976 and 29.97 in America',
    }),
    tolerance: z.number().min(0).default(0.005).meta({
      title: 'Tolerance of a listed rate',
      unit: 'frames/s',
      source: 'Reasoned: distinguishes 29.97 from 30 and 23.976 from 24, and lets rounding of time stamps through',
    }),
    constant: z.boolean().default(true).meta({
      title: 'A variable rate is a warning',
      source:
        'Reasoned: broadcast and edit systems need evenly spaced frames; screen recordings and phones have others',
    }),
  }),
  run({ media, name, claims }, { rates, tolerance, constant }) {
    const { average, constant: even } = media.frameRate
    const measured = Number(average.toFixed(3))
    const listed = rates.length > 0
    const wanted = listed ? rates : claims.framesPerSecond !== undefined ? [claims.framesPerSecond] : []
    const expected = anyOf(wanted.map((one) => decimal(one, 3)))
    const extras = { measured, ...(expected && { expected }), unit: 'frames/s' }
    const says = listed ? `${expected} is wanted` : `the name says ${expected}`
    // Names round 29.97 up to 30; a list of the media category does not.
    const fits = (one: number) => isAtMost(Math.abs(average - one), listed ? tolerance : 0.05)

    if (wanted.length > 0 && !wanted.some(fits)) {
      const nearest = [...wanted].sort((a, b) => Math.abs(average - a) - Math.abs(average - b))[0] ?? average
      return fail(`The video has ${rate(average)}; ${says}.`, {
        ...extras,
        fix: `Export “${name}” from the edit at ${rate(nearest)}; as a stopgap: ${ffmpeg(name, `-vf fps=${rational(nearest)}${sameVideoCodec(media.codec)} -c:a copy`)}`,
      })
    }
    if (constant && !even) {
      return warn(`The frames come unevenly, ${rate(average)} on average; a constant rate is wanted.`, {
        ...extras,
        expected: expected ? `${expected}, constant` : 'constant',
        fix: ffmpeg(
          name,
          `-vf fps=${rational(media.frameRate.nominal ?? Math.round(average))}${sameVideoCodec(media.codec)} -c:a copy`,
        ),
      })
    }
    const evenly = even ? ', evenly spaced' : ''
    const has = `The video has ${rate(average)}${evenly}`
    if (wanted.length > 0) return pass(`${has}; ${says}.`, extras)
    if (!constant) return skip(`${has}; neither its media category nor a naming convention asks for a rate.`)
    return pass(`${has}; a constant rate is wanted.`, { ...extras, expected: 'constant' })
  },
})
