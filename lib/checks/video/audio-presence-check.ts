import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg } from '../recipe'
import { count } from '../wording'

export const audioPresenceCheck = mediaCheck({
  id: 'audio_presence_check',
  label: 'Audio track',
  kinds: ['video'],
  describe: 'Whether the video has an audio track. Whether anything is to be heard on it is not measured.',
  severity: 'blocking',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'required', 'forbidden']).default('any').meta({
      title: 'An audio track is',
      source: 'Reasoned: either unless set; screens in public places take none',
    }),
    streams: z.number().int().positive().nullable().default(null).meta({
      title: 'Number of audio tracks',
      source: 'Reasoned: any unless set',
    }),
  }),
  run({ media, name }, { rule, streams }) {
    const found = media.audio.length
    const has = found === 0 ? 'The video has no audio track' : `The video has ${count(found, 'audio track')}`
    if (rule === 'any' && streams === null) {
      return skip(`${has}; audio is neither required nor forbidden in this media category.`)
    }
    if (rule === 'forbidden') {
      const extras = { measured: found, expected: 0 }
      return found === 0
        ? pass(`${has}, as wanted.`, extras)
        : fail(`${has}; none is wanted.`, { ...extras, fix: ffmpeg(name, '-c copy -an') })
    }
    const extras = { measured: found, expected: streams ?? 'at least 1' }
    if (found === 0 && rule === 'required') {
      return fail(`${has}; one is wanted.`, { ...extras, fix: `Export “${name}” from the edit with its audio mix.` })
    }
    if (streams !== null && found !== streams && (found > 0 || rule === 'required')) {
      return fail(`${has}; ${count(streams, 'track')} ${streams === 1 ? 'is' : 'are'} wanted.`, {
        ...extras,
        fix: `Export “${name}” from the edit with ${count(streams, 'audio track')}.`,
      })
    }
    return pass(`${has}, as wanted.`, extras)
  },
})
