import { fontEmbeddingCheck } from '../../document/font-embedding-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const font = (embedded: boolean, type = 'TrueType', subset = true) =>
  document({ fonts: [{ name: 'Sans', type, embedded, subset }] })
const subset = { require_subset: true }

export const spec = specOf(fontEmbeddingCheck, {
  good: [
    { name: 'embedded', given: font(true), details: /^The only font is embedded\.$/ },
    { name: 'of Type 3, which carries itself', given: font(false, 'Type3') },
    { name: 'embedded whole, where that is not asked', given: font(true, 'TrueType', false) },
    { name: 'a subset where that is wanted', given: font(true), thresholds: subset },
    { name: 'of Type 3 where subsets are wanted', given: font(true, 'Type3', false), thresholds: subset },
  ],
  bad: [
    {
      name: 'embedded whole where a subset is wanted',
      given: font(true, 'TrueType', false),
      thresholds: subset,
      details: /“Sans” is embedded whole; all are wanted embedded, as subsets\.$/,
      fix: /Subset fonts/,
    },
    { name: 'not embedded', given: font(false), details: /“Sans” is not embedded/ },
  ],
  skipped: [{ name: 'no font', given: document() }],
})
