import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { BEFORE_PRINT } from './painted'

export const layerCheck = mediaCheck({
  id: 'layer_check',
  label: 'Layers',
  kinds: ['document'],
  describe:
    'Layers (optional content) of the document: one that is switched off is in the file, and prints as soon as it is switched on. A layer counts as hidden by the state it has when the document is opened (ISO 32000-1, 8.11.4).',
  severity: 'advisory',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'none_hidden', 'none']).default('any').meta({
      title: 'Layers',
      source:
        'Reasoned: any unless set; PDF/X-4 allows layers whose first state is what is printed (ISO 15930-7), PDF/X-1a and PDF/X-3 know none',
    }),
  }),
  run({ name, media: { contents } }, { rule }) {
    if (!contents) return BEFORE_PRINT
    const { count: layers, hidden, hiddenOnPages } = contents.layers
    const has = layers === 0 ? 'The document has no layers' : `The document has ${count(layers, 'layer')}`
    const names = allOf(hidden.slice(0, 5).map((layer) => `“${layer}”`))
    const off = hidden.length > 0 ? `; switched off: ${names}${hidden.length > 5 ? ' and others' : ''}` : ''
    if (rule === 'any') return skip(`${has}${off}; no rule is set for this media category.`)
    const isFault = rule === 'none' ? layers > 0 : hidden.length > 0
    const wanted = rule === 'none' ? 'no layer is wanted' : 'none that is switched off is wanted'
    const extras = { measured: rule === 'none' ? layers : hidden.length, expected: 0, unit: 'layers' }
    if (!isFault) return pass(`${has}${layers > 0 ? ', and none is switched off' : ''}; ${wanted}.`, extras)
    return fail(`${has}${off}; ${wanted}.`, {
      ...extras,
      standard: 'ISO 15930-7:2010, optional content',
      ...(hiddenOnPages.length > 0 && { occurrences: hiddenOnPages.map((page) => ({ page })) }),
      fix:
        rule === 'none'
          ? `Export “${name}” without layers (InDesign: Export > Create Acrobat Layers off), or flatten them (Acrobat: Layers > Flatten Layers).`
          : `Delete hidden layers before “${name}” is exported (InDesign: Layers > Delete Unused Layers; Export Layers: Visible & Printable Layers), or remove them (Acrobat: Preflight > Fixups > Discard hidden layer content and flatten visible layers).`,
    })
  },
})
