import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { ffmpeg } from '../recipe'

export const fastStartCheck = mediaCheck({
  id: 'fast_start_check',
  label: 'Fast start',
  kinds: ['video'],
  describe:
    'The index of the file lies before its frames (moov before mdat, or cues before clusters), so that a player can start before the whole file has arrived.',
  severity: 'advisory',
  thresholds: z.strictObject({}),
  notFor: (media) => (media.container === 'mxf' ? 'An MXF file is exchanged whole, not played while it loads.' : null),
  run({ media, name }) {
    const matroska = media.container === 'webm' || media.container === 'matroska'
    const standard = matroska ? 'RFC 9559 (Matroska), cues at the front' : 'ISO/IEC 14496-12, box order'
    const extras = { measured: media.fastStart || media.fragmented, expected: true, standard }
    if (media.fragmented)
      return pass('The file comes in fragments, each with its index: it plays as it arrives.', extras)
    if (media.fastStart) return pass('The index lies before the frames: the video plays as it arrives.', extras)
    return fail('The index lies after the frames; a player must load the whole file before it can start.', {
      ...extras,
      fix: ffmpeg(name, matroska ? '-c copy -cues_to_front 1' : '-c copy -movflags +faststart'),
    })
  },
})
