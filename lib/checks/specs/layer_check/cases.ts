import { layerCheck } from '../../document/layer-check'
import { document, documentContents } from '../../testing'
import { specOf } from '../spec'

const layers = (count: number, ...hidden: string[]) =>
  document({ contents: documentContents({ layers: { count, hidden, hiddenOnPages: hidden.length > 0 ? [2] : [] } }) })

export const spec = specOf(layerCheck, {
  good: [
    { name: 'no layers', given: layers(0), thresholds: { rule: 'none' }, details: /no layers/ },
    { name: 'layers that are shown', given: layers(2), thresholds: { rule: 'none_hidden' } },
  ],
  bad: [
    {
      name: 'one that is switched off',
      given: layers(2, 'Notes'),
      thresholds: { rule: 'none_hidden' },
      details: /2 layers; switched off: “Notes”/,
      occurrences: [{ page: 2 }],
    },
    { name: 'any layer', given: layers(1), thresholds: { rule: 'none' }, details: /no layer is wanted/ },
  ],
  skipped: [
    { name: 'nothing is set', given: layers(2, 'Notes'), details: /switched off: “Notes”; no rule/ },
    { name: 'measured before', given: document({ contents: undefined }) },
  ],
})
