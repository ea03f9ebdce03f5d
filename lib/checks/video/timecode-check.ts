import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { quoted } from '../recipe'
import { count, decimal } from '../wording'

const TIMECODE = /^(\d{2}):([0-5]\d):([0-5]\d)([:;.])(\d{2})$/
/** Rates of which timecode may drop numbers (SMPTE ST 12-1, 5.2.2). */
const isDropRate = (rate: number) => Math.abs(rate - 29.97) < 0.01 || Math.abs(rate - 59.94) < 0.01

/** A threshold: a timecode, `hh:mm:ss:ff` or `hh:mm:ss;ff`; none unless set. */
export const wantedTimecode = (title: string, source: string) =>
  z
    .string()
    .regex(/^\d{2}:[0-5]\d:[0-5]\d[:;]\d{2}$/)
    .nullable()
    .default(null)
    .meta({ title, source })

export const timecodeCheck = mediaCheck({
  id: 'timecode_check',
  label: 'Timecode',
  kinds: ['video'],
  describe:
    'The timecode of the first frame, as the timecode track or the metadata of the file say it, is one that its frame rate has, counts with or without dropped numbers as is wanted, and is the start that is wanted. From there it runs on without a jump, where the file states more than its start: in the samples and edits of a timecode track (MOV, MP4; the first million), in the segments of the packages and the system item of each frame (MXF). Timecode in the image is not read.',
  severity: 'advisory',
  thresholds: z.strictObject({
    start: wantedTimecode(
      'Start, as 10:00:00:00',
      'Reasoned: none unless set; programmes start at 10:00:00:00 in Europe (EBU R 58 names the hour) and at 01:00:00:00 elsewhere',
    ),
    required: z.boolean().default(false).meta({
      title: 'A timecode must be there',
      source: 'Reasoned: not asked unless set; broadcast masters carry one',
    }),
    drop_frame: z.enum(['any', 'drop', 'non_drop']).default('any').meta({
      title: 'Numbers of frames',
      source: 'Reasoned: either unless set; SMPTE ST 12-1, 5.2.2 drops numbers at 29.97 and 59.94 frames per second',
    }),
    max_jumps: z.number().int().min(0).nullable().default(0).meta({
      title: 'Most jumps on the way',
      source:
        'EBU QC 0026W: none in the material package of OP1a, and to be reported in the source package and in system items; any number where none is set',
    }),
  }),
  run({ media, name }, { start, required, drop_frame, max_jumps }) {
    const { timecode, timecodeJumps } = media
    const rate = media.frameRate.average
    const expected = start ?? 'a timecode'
    const set = (value: string) =>
      `ffmpeg -i ${quoted(name)} -map 0:v -map 0:a? -c copy -timecode ${quoted(value)} ${quoted(`fixed-${name}`)}`
    if (timecode === null) {
      if (!required && start === null) return skip('The file carries no timecode, and none is asked for.')
      return fail(`The file carries no timecode; ${expected} is wanted.`, {
        measured: 'none',
        expected,
        fix: set(start ?? '10:00:00:00'),
      })
    }
    const extras = { measured: timecode, expected }
    const found = TIMECODE.exec(timecode)
    if (!found)
      return fail(`The file states the timecode “${timecode}”, which is none; hh:mm:ss:ff is wanted.`, {
        ...extras,
        fix: set(start ?? '10:00:00:00'),
      })
    const [, hours, minutes, seconds, mark, frames] = found
    const isDrop = mark !== ':'
    const isMissing = isDrop && seconds === '00' && Number(frames) < (rate > 50 ? 4 : 2) && Number(minutes) % 10 !== 0
    if (Number(hours) > 23 || Number(frames) >= Math.ceil(rate - 0.01) || (isDrop && !isDropRate(rate)) || isMissing) {
      return fail(
        `The file starts at ${timecode}, a timecode that ${decimal(rate, 3)} frames per second do not have.`,
        {
          ...extras,
          fix: set(start ?? '10:00:00:00'),
        },
      )
    }
    if (drop_frame !== 'any' && isDrop !== (drop_frame === 'drop')) {
      return fail(
        `The timecode ${timecode} counts ${isDrop ? 'with' : 'without'} dropped numbers; ${drop_frame === 'drop' ? 'dropped numbers are' : 'no dropped numbers are'} wanted.`,
        {
          ...extras,
          fix: set(
            drop_frame === 'drop' ? timecode.replace(/:(\d\d)$/, ';$1') : timecode.replace(/[;.](\d\d)$/, ':$1'),
          ),
        },
      )
    }
    // Whether numbers are dropped is a matter of its own.
    if (start !== null && timecode.replace(/[;.]/, ':') !== start.replace(';', ':')) {
      return fail(`The file starts at ${timecode}; ${start} is wanted.`, { ...extras, fix: set(start) })
    }
    const jumps = timecodeJumps ?? { count: 0, first: [] }
    const [first] = jumps.first
    if (first && max_jumps !== null && jumps.count > max_jumps) {
      const more = jumps.count > 1 ? `, the first of ${count(jumps.count, 'jump')}` : ''
      const wanted = max_jumps > 0 ? `; at most ${count(max_jumps, 'jump')} may be` : ''
      return fail(
        `The timecode jumps at ${decimal(first.seconds, 3)} s: it goes on with ${first.found} instead of ${first.expected}${more}${wanted}.`,
        {
          measured: jumps.count,
          expected: max_jumps,
          unit: 'jumps',
          occurrences: jumps.first.map(({ seconds }) => ({ start: seconds, end: seconds })),
          fix: set(start ?? timecode),
        },
      )
    }
    return pass(`The file starts at ${timecode}${start === null ? '' : ', as wanted'}.`, extras)
  },
})
