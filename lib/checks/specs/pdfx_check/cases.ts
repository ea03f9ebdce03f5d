import type { DocumentFacts, PageFacts } from '@/lib/media/facts'
import { pdfxCheck } from '../../document/pdfx-check'
import { document, pageFacts } from '../../testing'
import { specOf } from '../spec'

const x4 = { versions: ['PDF/X-4'] }
const TRIM = { xMm: 5, yMm: 5, widthMm: 200, heightMm: 287 }
const stating = (pdfxVersion: string, changes: Partial<DocumentFacts> = {}, page: Partial<PageFacts> = {}) =>
  document({
    pdfxVersion,
    outputIntent: 'FOGRA51',
    pageSizes: [pageFacts({ trimBox: TRIM }), pageFacts({ trimBox: TRIM, ...page })],
    ...changes,
  })

export const spec = specOf(pdfxCheck, {
  good: [
    {
      name: 'states a version that is wanted, and keeps it',
      given: stating('PDF/X-4'),
      thresholds: x4,
      confidence: 0.9,
    },
    {
      name: 'has an art box instead of a trim box',
      given: stating('PDF/X-4', {}, { trimBox: null, artBox: TRIM }),
      thresholds: x4,
    },
  ],
  bad: [
    { name: 'states no version', given: document(), thresholds: x4, details: /no PDF\/X version/, confidence: 1 },
    {
      name: 'states a version without the output intent it needs',
      given: stating('PDF/X-4', { outputIntent: null }),
      thresholds: x4,
      details: /names no output intent/,
      confidence: 1,
    },
    {
      name: 'has a page without a trim box',
      given: stating('PDF/X-4', {}, { trimBox: null }),
      thresholds: x4,
      details: /a page has no trim or art box, or both/,
      confidence: 1,
    },
    {
      name: 'has a page with a trim and an art box',
      given: stating('PDF/X-4', {}, { artBox: TRIM }),
      thresholds: x4,
    },
    {
      name: 'paints with transparency',
      given: stating('PDF/X-1a:2003', { hasTransparency: true }),
      thresholds: { versions: ['PDF/X-1a'] },
      details: /live transparency/,
      confidence: 1,
    },
  ],
  skipped: [{ name: 'no version is set', given: document() }],
})
