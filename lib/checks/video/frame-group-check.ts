import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { ffmpeg } from '../recipe'
import { allOf, count, decimal, seconds } from '../wording'

const STRUCTURES = ['any', 'closed', 'intra'] as const

export const frameGroupCheck = mediaCheck({
  id: 'frame_group_check',
  label: 'Groups of frames',
  kinds: ['video'],
  describe:
    'How often a frame is coded by itself (a key frame), and whether each group of frames from one to the next can be decoded without the group before (closed GOP). A group is open when frames that follow its key frame in the file are shown before it. The first group has none before it.',
  severity: 'advisory',
  confidence:
    'Lengths: 1. Open groups: 0.9, as an encoder may predict such frames from their own group alone, which is not read.',
  thresholds: z.strictObject({
    structure: z.enum(STRUCTURES).default('any').meta({
      title: 'Groups of frames are',
      source:
        'Reasoned: any unless set; streaming services ask for closed ones, cut and switched at key frames (ISO/IEC 23009-1, stream access points), some masters for every frame by itself',
    }),
    max_seconds: z.number().positive().nullable().default(null).meta({
      title: 'Longest group',
      unit: 's',
      source: 'Reasoned: none unless set; services ask for 1 to 5 s, or half a second',
    }),
    max_frames: z.number().int().min(1).nullable().default(null).meta({
      title: 'Longest group',
      unit: 'frames',
      source: 'Reasoned: none unless set; MPEG-2 for broadcast has 12 or 15',
    }),
  }),
  run({ media, name }, { structure, max_seconds, max_frames }) {
    const { groups } = media
    if (groups === undefined) return skip('Key frames were not counted when the video was measured.')
    if (groups === null) return skip('No frame of the video is marked as a key frame.')
    const { keyFrames, open, longestFrames, longestSeconds, isIntra } = groups
    const has = isIntra
      ? 'Every frame of the video is a key frame'
      : `The video has ${count(keyFrames, 'key frame')}; its longest group has ${count(longestFrames, 'frame')} (${seconds(longestSeconds)})`
    if (structure === 'any' && max_seconds === null && max_frames === null)
      return skip(`${has}; nothing is set for this media category.`)
    const wanted = [
      ...(structure === 'intra' ? ['every frame by itself'] : structure === 'closed' ? ['closed groups'] : []),
      ...(max_seconds === null ? [] : [`groups of at most ${seconds(max_seconds)}`]),
      ...(max_frames === null ? [] : [`groups of at most ${count(max_frames, 'frame')}`]),
    ]
    const isTooLong =
      (max_seconds !== null && !isAtMost(longestSeconds, max_seconds)) ||
      (max_frames !== null && !isAtMost(longestFrames, max_frames))
    const isNotIntra = structure === 'intra' && !isIntra
    const isOpen = structure === 'closed' && open > 0
    const extras = { measured: longestSeconds, expected: allOf(wanted), unit: 's' }
    const opened = open > 0 ? `; ${count(open, 'group is open', 'groups are open')}` : ''
    const details = `${has}${opened}. ${wanted.length > 0 ? `Wanted: ${allOf(wanted)}.` : ''}`
    if (!isTooLong && !isNotIntra && !isOpen)
      return pass(details, { ...extras, confidence: structure === 'closed' ? 0.95 : 1 })
    return fail(details, {
      ...extras,
      confidence: isTooLong || isNotIntra ? 1 : 0.9,
      fix: recipe(name, media.codec, media.frameRate.average, { structure, max_seconds, max_frames }),
    })
  },
})

function recipe(
  name: string,
  codec: string,
  rate: number,
  { structure, max_seconds, max_frames }: { structure: string; max_seconds: number | null; max_frames: number | null },
): string {
  if (structure === 'intra')
    return `Export “${name}” in a coding in which every frame stands alone, such as ProRes or DNxHR.`
  const frames = Math.max(1, Math.min(max_frames ?? 250, Math.floor((max_seconds ?? 10) * rate + 1e-6)))
  if (codec === 'h264') return ffmpeg(name, `-c:v libx264 -crf 16 -g ${frames} -x264-params open-gop=0 -c:a copy`)
  if (codec === 'hevc') return ffmpeg(name, `-c:v libx265 -crf 18 -x265-params open-gop=0:keyint=${frames} -c:a copy`)
  return `Export “${name}” again with closed groups of at most ${decimal(frames)} frames.`
}
