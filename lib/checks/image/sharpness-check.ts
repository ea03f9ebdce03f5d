import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { ratioConfidence } from '../confidence'
import { decimal } from '../wording'

/** An icon has not enough pixels for anything to be soft over some of them. */
const LEAST_SIDE = 48

export const sharpnessCheck = mediaCheck({
  id: 'sharpness_check',
  label: 'Sharpness',
  kinds: ['image'],
  needs: ['pixels'],
  describe:
    'Whether anything in the image is sharp: the variance of the Laplacian in its sharpest tenth. An image with one sharp face before a soft ground is sharp. Lettering and drawings on a plain ground are measured relative to their contrast, which would make them look sharp when they were enlarged. An image that was enlarged without smoothing, its pixels repeated, is sharp as well: it is found by its steps between neighbouring pixels, which lie evenly in what was photographed or drawn, and there not at all in every second column and row, or in two of three.',
  severity: 'advisory',
  confidence:
    'How likely the image is on the same side of the nearer threshold, with a standard deviation of half a doubling, as images of one softness differ: 0.5 at the threshold, 0.98 at one doubling. A fail by the surer of both measurements where both say so; a pass by the less sure one, and by what its sharpest parts have more than its softest, as grain and noise add the same to all parts: 0.5 where that alone would not pass. An image that had to be reduced looks sharper than it is: at most 0.6 where it passes. Repeated pixels: by how far their evenness is from the threshold, at most 0.95, as pixels may be meant to be seen.',
  thresholds: z.strictObject({
    min_variance: z.number().positive().default(100).meta({
      title: 'Least variance of the Laplacian',
      unit: 'grey levels²',
      source:
        'Reasoned: measured on generated images, where a blur of one pixel (sigma) leaves 200 and one of two leaves 30; method of Pech-Pacheco et al. (2000)',
    }),
    min_contour: z.number().min(0).default(0.006).meta({
      title: 'Least sharpness of lettering and drawings',
      unit: '× contrast²',
      source:
        'Reasoned: measured on generated lettering, which has 0.08 and more as it is set, 0.026 enlarged twice, 0.006 three times, 0.003 four times',
    }),
    min_evenness: z.number().min(0).max(1).default(0.25).meta({
      title: 'Least evenness of steps between neighbouring pixels',
      source:
        'Reasoned: photographs have 0.4 and more, coded coarsely as well; enlarged two to six times without smoothing 0, and up to 0.2 where they were saved as JPEG of quality 70 after that',
    }),
  }),
  notFor: ({ format }) => (format === 'svg' || format === 'eps' ? 'A vector drawing is sharp at any size.' : null),
  run({ measures: { pixels }, name }, { min_variance, min_contour, min_evenness }) {
    if (Math.min(pixels.width, pixels.height) < LEAST_SIDE) return skip('The image is too small to be called soft.')
    if (pixels.sharpness === null) return skip('The image shows nothing with a contour, so nothing can be sharp.')
    const measured = Number(pixels.sharpness.toFixed(1))
    const extras = {
      measured,
      expected: min_variance,
      unit: 'grey levels²',
    }
    const details = `Its sharpest parts measure ${decimal(measured, 1)} (variance of the Laplacian); at least ${decimal(min_variance, 1)} is wanted.`
    const { contourSharpness: contour = null, stepEvenness: evenness = null } = pixels
    const ofEvenness = evenness === null ? 1 : confidenceOf(Math.max(evenness, 0.001), min_evenness)
    if (evenness !== null && evenness < min_evenness) {
      return fail(
        `The image looks enlarged without smoothing: columns and rows repeat the ones before. Between such lie ${decimal(evenness, 2)} of the mean number of steps; at least ${decimal(min_evenness, 2)} is wanted.`,
        {
          measured: Number(evenness.toFixed(3)),
          expected: min_evenness,
          confidence: Math.min(0.95, ofEvenness),
          fix: `Export “${name}” from its source at its final size.`,
        },
      )
    }
    if (pixels.sharpness >= min_variance && contour !== null && contour < min_contour) {
      return fail(
        `The lettering or drawing looks enlarged: relative to its contrast its contours measure ${decimal(contour, 4)}; at least ${decimal(min_contour, 4)} is wanted.`,
        {
          measured: Number(contour.toFixed(4)),
          expected: min_contour,
          unit: '× contrast²',
          confidence: confidenceOf(contour, min_contour),
          fix: `Export “${name}” from its source at its final size, with its lettering as vectors until then.`,
        },
      )
    }
    if (pixels.sharpness >= min_variance) {
      const ofContour = contour === null ? 1 : confidenceOf(contour, min_contour)
      const most = pixels.scale < 1 ? 0.6 : pixels.grain == null ? 0.95 : 1
      const detail = Math.max(min_variance, pixels.sharpness - (pixels.grain ?? 0))
      const confidence = Math.min(confidenceOf(detail, min_variance), ofContour, ofEvenness, most)
      return pass(`The image is sharp. ${details}`, { ...extras, confidence })
    }
    return fail(`The image looks soft. ${details}`, {
      ...extras,
      confidence: Math.max(
        confidenceOf(pixels.sharpness, min_variance),
        contour !== null && contour < min_contour ? confidenceOf(contour, min_contour) : 0,
      ),
      fix: `Export “${name}” from its source at its final size: a small image that was enlarged, or a soft photo, measures like this. Sharpening the file does not bring detail back.`,
    })
  },
})

const confidenceOf = (measured: number, limit: number) => ratioConfidence(measured, limit, 0.5)
