import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'

/** Within a few seconds not even a good recorder uses every bit. */
const LEAST_SECONDS = 1

export const audioDepthCheck = mediaCheck({
  id: 'audio_depth_check',
  label: 'Real bit depth of audio',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'Audio without loss uses the bits it declares: the lowest bits of its samples are not all nought, as they are where audio of 16 bits was saved with 24. Measured over every sample of every track that states a depth of 8 to 24 bits; digital silence and tracks of less than a second say nothing.',
  severity: 'advisory',
  confidence: '0.95: generated sounds may do with fewer bits than they were made with.',
  thresholds: z.strictObject({
    min_bits: z.number().int().positive().nullable().default(null).meta({
      title: 'Least real depth',
      unit: 'bit',
      source: 'Reasoned: what each track declares where this is not set; EBU R 85 and most masters ask for 24',
    }),
  }),
  notFor: (media) =>
    media.audio.some(({ bitDepth }) => bitDepth !== null && bitDepth <= 24)
      ? null
      : 'The file has no audio without loss that states a bit depth.',
  run({ media, name, measures: { audio } }, { min_bits }) {
    const tracks = media.audio.flatMap(({ bitDepth }, stream) => {
      const track = audio.tracks[stream]
      const used = track?.usedBits ?? null
      return bitDepth !== null && bitDepth <= 24 && used !== null && (track?.durationSeconds ?? 0) >= LEAST_SECONDS
        ? [{ stream, declared: bitDepth, used, wanted: min_bits ?? bitDepth }]
        : []
    })
    if (tracks.length === 0) return skip('No track without loss is long and loud enough to tell how many bits it uses.')
    const short = tracks.filter(({ used, wanted }) => used < wanted)
    const [worst = tracks[0]] = short.sort((a, b) => a.used - b.used)
    if (!worst) return skip('No track was measured.')
    const { declared, used, wanted, stream } = worst
    const extras = { measured: used, expected: wanted, unit: 'bit', confidence: 0.95 }
    const which = media.audio.length > 1 ? `Audio track ${stream + 1}` : 'The audio'
    if (short.length === 0) return pass(`${which} declares ${declared} bits and uses ${used}.`, extras)
    return fail(`${which} declares ${declared} bits and uses ${used}; ${wanted} are wanted.`, {
      ...extras,
      fix: `Export the mix of “${name}” from the session with ${Math.max(wanted, declared)} bits: saving a copy of ${used} bits again adds none.`,
      occurrences: short.map((each) => ({ stream: each.stream })),
    })
  },
})
