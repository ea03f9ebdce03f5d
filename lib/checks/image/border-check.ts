import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { isAtMost } from '../limits'
import { decimal } from '../wording'

export const borderCheck = mediaCheck({
  id: 'border_check',
  label: 'Border on a light ground',
  kinds: ['image'],
  needs: ['pixels'],
  describe:
    'An ad with a white or nearly white edge runs into the page around it: publishers ask for a border of a contrasting colour. Measures the outermost ring of pixels, over white where it is transparent.',
  severity: 'advisory',
  enabledByDefault: false,
  thresholds: z.strictObject({
    max_pale_edge_percent: z.number().min(0).max(100).default(50).meta({
      title: 'Most of the edge that may vanish on white',
      unit: '%',
      source:
        'Reasoned: publishers ask for “a border of 1 px on white banners”; a photo that is pale on one side stays under half',
    }),
  }),
  notFor: ({ format }) => (format === 'eps' ? 'An EPS drawing is not drawn here, so it was not inspected.' : null),
  run({ measures: { pixels }, name }, { max_pale_edge_percent }) {
    const share = pixels.paleEdgeShare * 100
    const extras = { measured: Number(share.toFixed(1)), expected: max_pale_edge_percent, unit: '%' }
    const details = `${decimal(share, 0)} % of the edge would vanish on a white page; at most ${decimal(max_pale_edge_percent)} % is wanted.`
    if (isAtMost(share, max_pale_edge_percent)) return pass(details, extras)
    return fail(details, {
      ...extras,
      fix: `Draw a border of 1 px inside the ${pixels.width} × ${pixels.height} px of “${name}”, in a grey of #CCCCCC or darker.`,
    })
  },
})
