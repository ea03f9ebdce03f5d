import { z } from 'zod'
import type { ImageFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { count, decimal, seconds } from '../wording'

/** Browsers give a frame that asks for a hundredth of a second or less a tenth: what people see, not what is written. */
const SHORTEST_DELAY_MS = 10
const INSTEAD_MS = 100

/** One pass as it is shown. Of very many frames not every delay is known: then as written. */
function shownSeconds({ frames, frameDelaysMs, durationSeconds }: ImageFacts): number {
  if (frameDelaysMs.length !== frames) return durationSeconds ?? 0
  return frameDelaysMs.reduce((sum, delay) => sum + (delay <= SHORTEST_DELAY_MS ? INSTEAD_MS : delay), 0) / 1000
}

export const animationCheck = mediaCheck({
  id: 'animation_check',
  label: 'Animation',
  kinds: ['image'],
  describe: 'How long an animated image moves, repetitions included, how often it plays and how fast its frames come.',
  severity: 'advisory',
  thresholds: z.strictObject({
    allowed: z.boolean().default(true).meta({
      title: 'Animation is allowed',
      source: 'Reasoned: allowed unless the media category forbids it',
    }),
    max_total_seconds: z.number().positive().nullable().default(30).meta({
      title: 'Longest motion, repetitions included',
      unit: 's',
      source: 'IAB New Ad Portfolio (2017), animation: at most 30 seconds, then it stops',
    }),
    max_plays: z.number().int().positive().nullable().default(null).meta({
      title: 'Most plays',
      source: 'Reasoned: none unless set; some publishers allow three',
    }),
    max_frames_per_second: z.number().positive().nullable().default(null).meta({
      title: 'Most frames per second',
      unit: 'frames/s',
      source: 'Reasoned: none unless set',
    }),
  }),
  run({ media, name }, thresholds) {
    if (media.frames <= 1 || media.durationSeconds === null) return skip('The image does not move.')
    const pass1 = shownSeconds(media)
    const plays = media.loopCount === 0 ? Number.POSITIVE_INFINITY : (media.loopCount ?? 1)
    const total = pass1 * plays
    const rate = pass1 > 0 ? media.frames / pass1 : Number.POSITIVE_INFINITY
    const motion = `${count(media.frames, 'frame')} in ${seconds(pass1)}, played ${plays === Number.POSITIVE_INFINITY ? 'for ever' : count(plays, 'time')}`
    const measured = Number.isFinite(total) ? Number(total.toFixed(3)) : 'endless'
    if (!thresholds.allowed) {
      return fail(`The image moves (${motion}); a still image is wanted.`, {
        measured,
        expected: 'still',
        fix: `Export the frame that carries the message of “${name}” as a still image.`,
      })
    }
    const { max_total_seconds: longest, max_plays: most, max_frames_per_second: fastest } = thresholds
    if (longest !== null && !isAtMost(total, longest)) {
      const fitting = Math.floor(longest / pass1)
      return fail(
        `The image moves ${Number.isFinite(total) ? `for ${seconds(total)}` : 'without end'} (${motion}); at most ${seconds(longest)} is wanted.`,
        {
          measured,
          expected: longest,
          unit: 's',
          standard: 'IAB New Ad Portfolio (2017), animation',
          fix:
            fitting >= 1
              ? `Set “${name}” to play ${count(fitting, 'time')} (${seconds(pass1 * fitting)}) instead of ${plays === Number.POSITIVE_INFINITY ? 'for ever' : count(plays, 'time')}.`
              : `Shorten one pass of “${name}” from ${seconds(pass1)} to ${seconds(longest)} or less, and play it once.`,
        },
      )
    }
    if (most !== null && plays > most) {
      return fail(
        `The image plays ${Number.isFinite(plays) ? count(plays, 'time') : 'for ever'}; at most ${count(most, 'time')} is wanted.`,
        {
          measured: Number.isFinite(plays) ? plays : 'endless',
          expected: most,
          fix: `Set “${name}” to play ${count(most, 'time')}.`,
        },
      )
    }
    if (fastest !== null && !isAtMost(rate, fastest)) {
      return fail(`The image shows ${decimal(rate)} frames per second; at most ${decimal(fastest)} is wanted.`, {
        measured: Number.isFinite(rate) ? Number(rate.toFixed(2)) : 'no delay',
        expected: fastest,
        unit: 'frames/s',
        fix: `Give each frame of “${name}” a delay of ${Math.ceil(1000 / fastest)} ms or more.`,
      })
    }
    const wanted = longest === null ? '' : `; at most ${seconds(longest)} is wanted`
    return pass(`The image has ${motion}${wanted}.`, {
      measured,
      ...(longest !== null && { expected: longest, unit: 's' }),
    })
  },
})
