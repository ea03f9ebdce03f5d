import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { isAtMost } from '../limits'
import { clock, count, decimal } from '../wording'

/** Standard deviation of what one frame shows of those beside it, percent of the edges. */
const UNCERTAINTY = 1.5
const SHOWN = 20

export const blockEdgesCheck = mediaCheck({
  id: 'block_edges_check',
  label: 'Block artefacts',
  kinds: ['video'],
  needs: ['video'],
  describe:
    'Edges of the 8-pixel blocks a video is coded in, as they are seen where it was coded too coarsely, now or before, or was damaged on its way and coded again: steps of 3 levels and more that are three times those beside them, at multiples of 8 pixels and nowhere else, in two frames a second. Not found: blocks of a video that was scaled or cropped since, of the fields of interlaced video, and damage that is shorter than half a second and lies between. A mosaic that is meant has such edges as well.',
  severity: 'advisory',
  confidence:
    'How likely the worst frame is on the same side of the limit, with a standard deviation of 1.5 percentage points, by which frames beside it differ: 0.5 at the limit, 0.98 at three points.',
  thresholds: z.strictObject({
    max_percent: z.number().min(0).max(100).default(8).meta({
      title: 'Most block edges seen',
      unit: '% of the edges',
      source:
        'Reasoned: measured on photographs and drawings, coded by FFmpeg; H.264 at CRF 18 and 28 leaves at most 0.5 and ProRes 422 1.5 (4 of pixel art), MPEG-4 at quantiser 8 9 to 31, JPEG and MPEG-2 of a poor quality 17 to 59',
    }),
  }),
  run({ name, measures: { video } }, { max_percent }) {
    const { blocks } = video
    if (!blocks) return skip('Edges of blocks were not looked for when the video was measured.')
    const worst = blocks.reduce((most, each) => (each.percent > most.percent ? each : most), { at: 0, percent: 0 })
    const extras = {
      measured: worst.percent,
      expected: max_percent,
      unit: '% of the edges',
      confidence: measuredConfidence(worst.percent, max_percent, UNCERTAINTY),
    }
    if (isAtMost(worst.percent, max_percent))
      return pass(
        `At most ${decimal(worst.percent)} % of the edges between blocks are seen; at most ${decimal(max_percent)} % are wanted.`,
        extras,
      )
    const seen = blocks.filter(({ percent }) => !isAtMost(percent, max_percent))
    return fail(
      `Edges of coding blocks are seen in ${count(seen.length, 'frame')} of those looked at, two a second: ${decimal(worst.percent)} % of all edges at ${clock(worst.at)}, at most ${decimal(max_percent)} % are wanted.`,
      {
        ...extras,
        occurrences: seen.slice(0, SHOWN).map(({ at }) => ({ start: at, end: at })),
        fix: `Look at “${name}” at ${clock(worst.at)}. Where blocks are seen, go back to a source without them and export it at a higher data rate: coding this file again keeps them.`,
      },
    )
  },
})
