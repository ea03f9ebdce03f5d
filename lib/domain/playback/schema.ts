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

export const Playback = z
  .object({
    is_needed: z.boolean().describe('False: browsers play the file itself'),
    status: z.enum(PLAYBACK_STATUSES).nullable().describe('Null: no copy was asked for'),
    progress: z.int().min(0).max(100),
    failure: z.string().nullable().describe('Why there is no copy'),
    url: z.string().nullable().describe('What a player plays: MP4 with H.264 and AAC, whole or by range'),
    copy: Copy.nullable().describe('What the copy is, once it is ready'),
  })
  .meta({ id: 'Playback' })
export type Playback = z.infer<typeof Playback>
