import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { isAtLeast } from '../limits'
import { decimal } from '../wording'

export const blankCheck = mediaCheck({
  id: 'blank_check',
  label: 'Blank image',
  kinds: ['image'],
  needs: ['pixels'],
  describe: 'The image shows something: its samples differ from one another, and not everything is transparent.',
  severity: 'advisory',
  confidence:
    '1. In a Photoshop document 0.6: its merged image is blank, too, when it was saved without “Maximize Compatibility”.',
  thresholds: z.strictObject({
    min_deviation_percent: z.number().min(0).max(50).default(1).meta({
      title: 'Least standard deviation of any channel',
      unit: '% of full scale',
      source: 'Reasoned: noise of a blank scan stays under 0.5 %; a thin line of text on white is above 3 %',
    }),
  }),
  notFor: ({ format }) => (format === 'eps' ? 'An EPS drawing is not drawn here, so it was not inspected.' : null),
  run({ media, measures: { pixels }, name }, { min_deviation_percent }) {
    const deviation = pixels.deviation * 100
    const extras = {
      measured: Number(deviation.toFixed(2)),
      expected: min_deviation_percent,
      unit: '% of full scale',
      ...(media.format === 'psd' && { confidence: 0.6 }),
    }
    const fix = `Open “${name}” and export it again with its layers switched on.`
    if (pixels.transparentShare === 1) {
      return fail('Every pixel of the image is fully transparent.', { ...extras, fix })
    }
    if (!isAtLeast(deviation, min_deviation_percent)) {
      return fail(
        `The image is one even tone: its samples deviate by ${decimal(deviation)} % of full scale, at least ${decimal(min_deviation_percent)} % is wanted.`,
        { ...extras, fix },
      )
    }
    return pass(`The image is not blank: its samples deviate by ${decimal(deviation)} % of full scale.`, extras)
  },
})
