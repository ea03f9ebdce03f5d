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
      confidence: 0.85,
    },
  ],
  bad: [
    { name: 'states no version', given: document(), thresholds: x4, details: /no PDF\/X version/, confidence: 1 },
    {
      name: 'states a version without the output intent it needs',
      given: document({ pdfxVersion: 'PDF/X-4' }),
      thresholds: x4,
      details: /names no output intent/,
      confidence: 1,
    },
    {
      name: 'lists transparency, which may be drawn nowhere',
      given: document({ pdfxVersion: 'PDF/X-1a:2003', outputIntent: 'FOGRA51', hasTransparency: true }),
      thresholds: { versions: ['PDF/X-1a'] },
      details: /live transparency/,
      confidence: 0.9,
    },
  ],
  skipped: [{ name: 'no version is set', given: document() }],
})
