import { z } from 'zod'
import { PLAYBACK_STATUSES } from '@/lib/vocabulary'

const Copy = z.object({
  codec: z.string().describe('h264, or aac of audio'),
  width: z.int().nullable().describe('Pixels, as seen'),
  height: z.int().nullable(),
  frame_rate: z.number().nullable(),
  duration_seconds: z.number(),
  size: z.int().describe('Bytes'),
  has_audio: z.boolean(),
  dynamic_range: z
    .enum(['sdr', 'tone_mapped', 'not_mapped'])
    .describe('tone_mapped: the original is HDR, and was fitted into SDR; not_mapped: it was not, and looks pale'),
  is_deinterlaced: z.boolean(),
})

const Pieces = z.object({
  url: z
    .string()
    .describe(
      'With “/0”, “/1” and so on the address of each piece: fragmented MP4, from a key frame on, with the times of the copy; piece 0 also describes the streams',
    ),
  starts: z.array(z.number()).describe('Seconds at which each piece that is there begins'),
  end: z.number().describe('Seconds at which the last of them ends'),
  duration_seconds: z.number().describe('Of the whole, by what the original states'),
})

export const Playback = z
  .object({
    is_needed: z.boolean().describe('False: browsers play the file itself'),
    status: z.enum(PLAYBACK_STATUSES).nullable().describe('Null: no copy was asked for'),
    progress: z.int().min(0).max(100),
    failure: z.string().nullable().describe('Why there is no copy'),
    url: z.string().nullable().describe('What a player plays: MP4 with H.264 and AAC, whole or by range'),
    copy: Copy.nullable().describe('What the copy is, once it is ready'),
    pieces: Pieces.nullable().describe(
      'What of a long video can be played while its copy is made; they are gone once the copy is ready',
    ),
  })
  .meta({ id: 'Playback' })
export type Playback = z.infer<typeof Playback>
