import { fontEmbeddingCheck } from '../../document/font-embedding-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const font = (embedded: boolean, type = 'TrueType') =>
  document({ fonts: [{ name: 'Sans', type, embedded, subset: true }] })

export const spec = specOf(fontEmbeddingCheck, {
  good: [
    { name: 'embedded', given: font(true), details: /^The only font is embedded\.$/ },
    { name: 'of Type 3, which carries itself', given: font(false, 'Type3') },
  ],
  bad: [{ name: 'not embedded', given: font(false), details: /“Sans” is not embedded/ }],
  skipped: [{ name: 'no font', given: document() }],
})
