import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { isAtMost } from '../limits'
import { anyOf, decimal, pixelSize } from '../wording'
import { sizeAsSeen } from './size'

/** `16x9`, `1.91x1` as one number. */
function ratioOf(text: string): number {
  const [width = 1, height = 1] = text.split('x').map(Number)
  return width / height
}

const written = (ratio: string) => ratio.replace('x', ':')

export const aspectRatioCheck = mediaCheck({
  id: 'aspect_ratio_check',
  label: 'Aspect ratio',
  kinds: ['image', 'video'],
  describe:
    'Width divided by height as people see them, against the ratios of the media category; where it lists none, against the ratio the file name says.',
  severity: 'blocking',
  thresholds: z.strictObject({
    ratios: z
      .array(z.string().regex(/^[1-9]\d*(\.\d+)?x[1-9]\d*(\.\d+)?$/))
      .default([])
      .meta({
        title: 'Allowed ratios, as 16x9',
        source: 'Reasoned: the ratio in the file name where none is listed',
      }),
    tolerance: z.number().min(0).max(0.5).default(0.01).meta({
      title: 'Tolerance, as a share of the ratio',
      source: 'Reasoned: 1 % lets a size rounded to even pixels through (1080 × 566 for 1.91:1)',
    }),
  }),
  run({ media, name, claims }, { ratios, tolerance }) {
    const seen = sizeAsSeen(media)
    const ratio = seen.width / seen.height
    const has = `${pixelSize(seen.width, seen.height)} is ${decimal(ratio, 3)}:1`
    const claimed = claims.ratio && `${claims.ratio.width}x${claims.ratio.height}`
    const wanted = ratios.length > 0 ? ratios : claimed ? [claimed] : []
    if (wanted.length === 0) return skip(`${has}; neither its media category nor a naming convention asks for a ratio.`)

    const says =
      ratios.length > 0 ? `${anyOf(wanted.map(written))} is wanted` : `the name says ${written(claimed ?? '')}`
    const extras = { measured: Number(ratio.toFixed(4)), expected: wanted.map(written).join(', ') }
    const fits = (target: string) => isAtMost(Math.abs(ratio / ratioOf(target) - 1), tolerance)
    if (wanted.some(fits)) return pass(`${has}; ${says}.`, extras)
    const nearest = [...wanted].sort(
      (a, b) => Math.abs(Math.log(ratio / ratioOf(a))) - Math.abs(Math.log(ratio / ratioOf(b))),
    )[0] as string
    return fail(`${has}; ${says}.`, {
      ...extras,
      fix: `Export “${name}” at ${pixelSize(seen.width, Math.round(seen.width / ratioOf(nearest)))} (${written(nearest)}), framed anew rather than stretched.`,
    })
  },
})
