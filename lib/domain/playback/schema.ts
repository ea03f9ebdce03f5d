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

const Audio = z.object({
  peaks: z
    .array(z.number())
    .describe('The waveform: the loudest sample, 0 to 1, of each of equal stretches of the time'),
  loudness: z
    .array(z.number())
    .describe('Momentary loudness, LUFS (ITU-R BS.1770-5, EBU Tech 3341), the loudest of each of equal stretches'),
  pairs: z
    .array(
      z.object({
        url: z.string(),
        channels: z
          .array(
            z.object({
              track: z.int().describe('Which stream of audio of the original, from 1'),
              name: z.string().describe('As its layout says (L, R, C, LFE …), else its number in the stream'),
            }),
          )
          .describe('The left and the right of the file; a single one is on both sides'),
      }),
    )
    .describe('Where the original has more than two channels: each two of them, AAC in stereo'),
})

export const Playback = z
  .object({
    is_needed: z.boolean().describe('False: browsers play the file itself; status and progress are of its audio alone'),
    status: z.enum(PLAYBACK_STATUSES).nullable().describe('Null: no copy was asked for'),
    progress: z.int().min(0).max(100),
    failure: z.string().nullable().describe('Why there is no copy'),
    url: z.string().nullable().describe('What a player plays: MP4 with H.264 and AAC, whole or by range'),
    copy: Copy.nullable().describe('What the copy is, once it is ready'),
    pieces: Pieces.nullable().describe(
      'What of a long video can be played while its copy is made; they are gone once the copy is ready',
    ),
    audio: Audio.nullable().describe(
      'Of a file that is asked for by itself, once it was read: of one that needs a copy, has more than two channels, or is large',
    ),
  })
  .meta({ id: 'Playback' })
export type Playback = z.infer<typeof Playback>
