import { z } from 'zod'

/**
 * What a machine changes in a file without a matter of taste: plain data, stored with the repaired copy. Each step says what
 * it does to which bytes; `lib/media/repair/` carries it out.
 */
export const RepairStep = z.discriminatedUnion('do', [
  /** The same amount on every sample of an audio track, counted among the audio tracks from 0; decibels. */
  z.strictObject({ do: z.literal('gain'), track: z.int().min(0), gain_db: z.number() }),
  /** The index moves before the media data. */
  z.strictObject({ do: z.literal('fast_start') }),
  /** The place where it was taken is blanked out, in EXIF, XMP and the tags of the container. */
  z.strictObject({ do: z.literal('remove_position') }),
  /** The timecode of the first frame, `hh:mm:ss:ff`; those behind it go along. */
  z.strictObject({ do: z.literal('timecode'), start: z.string() }),
  /** The profile that untagged RGB is shown by anyway is embedded. */
  z.strictObject({ do: z.literal('embed_profile'), profile: z.literal('srgb') }),
  /** The samples are converted by the embedded profile. */
  z.strictObject({ do: z.literal('convert_profile'), profile: z.literal('srgb') }),
  /** The same streams in another container. */
  z.strictObject({ do: z.literal('rewrap'), container: z.enum(['mp4', 'mov']) }),
  /** Every page without a trim box states one: the page as it is shown. */
  z.strictObject({ do: z.literal('trim_boxes') }),
  /** Entries of an archive are left out or moved; the others are copied as they are packed. */
  z.strictObject({
    do: z.literal('repack'),
    drop: z.array(z.string()),
    move: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  }),
  /** Only the name changes. */
  z.strictObject({ do: z.literal('rename'), name: z.string() }),
])
export type RepairStep = z.infer<typeof RepairStep>

const decibels = (value: number) => `${Math.abs(value).toFixed(1)} dB`

/** What a step does, as the end of “In the repaired copy …”. */
function describeStep(step: RepairStep): string {
  switch (step.do) {
    case 'gain':
      return `audio track ${step.track + 1} is ${step.gain_db > 0 ? 'louder' : 'quieter'} by ${decibels(step.gain_db)}`
    case 'fast_start':
      return 'the index lies before the frames'
    case 'remove_position':
      return 'the position where it was taken is gone'
    case 'timecode':
      return `the timecode starts at ${step.start}`
    case 'embed_profile':
      return 'the profile sRGB is embedded, by which it was shown before'
    case 'convert_profile':
      return 'the colours are converted to sRGB, and the profile is embedded'
    case 'rewrap':
      return `the same streams lie in ${step.container === 'mp4' ? 'an MP4' : 'a QuickTime'} container`
    case 'trim_boxes':
      return 'every page states its trim box'
    case 'repack': {
      const parts = [
        ...(step.drop.length > 0
          ? [`${step.drop.length} ${step.drop.length === 1 ? 'entry' : 'entries'} left out`]
          : []),
        ...(step.move.length > 0
          ? [`${step.move.length} moved (“${step.move[0]?.from}” to “${step.move[0]?.to}”)`]
          : []),
      ]
      return `the archive is packed again, ${parts.join(' and ')}`
    }
    case 'rename':
      return `the name is “${step.name}”`
  }
}

/** One sentence for all that was changed. */
export function describeSteps(steps: readonly RepairStep[]): string {
  const said = steps.map(describeStep)
  const last = said.pop()
  return `In the repaired copy ${said.length > 0 ? `${said.join(', ')} and ` : ''}${last}; nothing else was changed.`
}
