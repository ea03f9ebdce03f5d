import { pdfVersionCheck } from '../../document/pdf-version-check'
import { document } from '../../testing'
import { specOf } from '../spec'

const x1a = { max_version: 1.4 }

export const spec = specOf(pdfVersionCheck, {
  good: [
    { name: 'the highest that is allowed', given: document({ pdfVersion: '1.4' }), thresholds: x1a },
    { name: 'the lowest that is wanted', given: document({ pdfVersion: '1.6' }), thresholds: { min_version: 1.6 } },
  ],
  bad: [
    {
      name: 'above the highest',
      given: document({ pdfVersion: '1.5' }),
      thresholds: x1a,
      details: /PDF 1.5; at most PDF 1.4/,
      fix: /compatibility PDF 1.4/,
    },
    { name: 'below the lowest', given: document({ pdfVersion: '1.3' }), thresholds: { min_version: 1.6 } },
    {
      name: 'below 2.0, which is written in full',
      given: document({ pdfVersion: '1.7' }),
      thresholds: { min_version: 2 },
      details: /at least PDF 2.0/,
    },
  ],
  skipped: [{ name: 'no version is set', given: document() }],
  error: [{ name: 'a version that is no number', given: document({ pdfVersion: 'x' }), thresholds: x1a }],
})
