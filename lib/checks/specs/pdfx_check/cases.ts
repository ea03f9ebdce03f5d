import { pdfxCheck } from '../../document/pdfx-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const x4 = { versions: ['PDF/X-4'] }

export const spec = specOf(pdfxCheck, {
  good: [
    {
      name: 'states a version that is wanted, and keeps it',
      given: document({ pdfxVersion: 'PDF/X-4', outputIntent: 'FOGRA51' }),
      thresholds: x4,
    },
  ],
  bad: [
    { name: 'states no version', given: document(), thresholds: x4, details: /no PDF\/X version/ },
    {
      name: 'states a version without the output intent it needs',
      given: document({ pdfxVersion: 'PDF/X-4' }),
      thresholds: x4,
      details: /names no output intent/,
    },
  ],
  skipped: [{ name: 'no version is set', given: document() }],
})
