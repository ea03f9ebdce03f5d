import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { countConfidence } from '../confidence'
import { isAtMost } from '../limits'
import { clock, count, decimal } from '../wording'

const ORDINALS: Record<number, string> = { 2: 'second', 3: 'third' }

export const cadenceCheck = mediaCheck({
  id: 'cadence_check',
  label: 'Repeated frames and cadence',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'Frames that show the same as the one before while the image moves before and after: single ones, as they are left by a dropped frame or a faulty cut, and such as come at one distance all over, which a conversion of the frame rate leaves (24 in 30 frames a second repeat every fifth). Animation that is drawn for every second frame has a cadence as well. Stills are in freeze_frames_check; blended frames are not found.',
  severity: 'advisory',
  enabledByDefault: false,
  confidence:
    'A cadence: by how many repeats keep it, each as likely there by chance as not (0.98 for six). Single frames: each is taken to be right with 0.85, so that 0.98 for two more than allowed; 0.6 where more than a tenth of the frames are repeats, which animation may mean. A pass: 0.95, and more where more than one repeat would have to be missed.',
  thresholds: z.strictObject({
    max_repeats: z.number().int().min(0).nullable().default(0).meta({
      title: 'Most single repeated frames',
      unit: 'frames',
      source: 'Reasoned: none; each is a jerk in a movement',
    }),
    cadence: z.enum(['any', 'forbidden']).default('forbidden').meta({
      title: 'Frames repeated at one distance are',
      source: 'Reasoned: forbidden, as masters are wanted at the rate they were shot in; drawn animation needs “any”',
    }),
  }),
  run({ name, media, measures: { video } }, { max_repeats, cadence }) {
    const { repeats, frames } = video
    if (!repeats) return skip('Repeated frames were not looked for when the video was measured.')
    if (max_repeats === null && cadence === 'any') return skip('Nothing is set for this media category.')
    const { average } = media.frameRate
    const { every, stray, at } = repeats
    const origin = every === null ? null : average * (1 - 1 / every)
    const isCadence = every !== null && cadence === 'forbidden'
    const isStray = max_repeats !== null && !isAtMost(stray, max_repeats)
    const has = [
      ...(every === null || origin === null
        ? []
        : [
            `every ${ORDINALS[every] ?? `${every}th`} frame repeats the one before, as of ${decimal(origin)} frames a second in ${decimal(average)}`,
          ]),
      `${count(stray, 'single frame repeats', 'single frames repeat')} the one before`,
    ]
    const wanted = [
      ...(cadence === 'any' ? [] : ['no cadence']),
      ...(max_repeats === null ? [] : [`at most ${count(max_repeats, 'repeated frame')}`]),
    ].join(' and ')
    const details = `In the video ${has.join('; ')}. Wanted: ${wanted}.`
    const extras = { measured: repeats.count, expected: wanted, unit: 'repeated frames' }
    if (!isCadence && !isStray)
      return pass(details, {
        ...extras,
        confidence: max_repeats === null ? 0.95 : countConfidence(max_repeats + 1 - stray, 0.95),
      })
    return fail(details, {
      ...extras,
      confidence: isCadence
        ? countConfidence(repeats.count - stray, 0.5)
        : repeats.count > frames / 10
          ? 0.6
          : countConfidence(stray - (max_repeats ?? 0), 0.85),
      ...(isStray && { occurrences: at.slice(0, 20).map((start) => ({ start, end: start })) }),
      fix:
        isCadence && origin !== null
          ? `Export “${name}” at ${decimal(origin, 3)} frames per second from its sequence, or convert it with motion compensation.`
          : `Render “${name}” again: frames are missing from ${at
              .slice(0, 3)
              .map((time) => clock(time))
              .join(', ')} on.`,
    })
  },
})
