import type { AnnotationMark } from '@/lib/media/facts'
import { annotationCheck } from '../../document/annotation-check'
import { document, documentContents } from '../../testing'
import { specOf } from '../spec'

const comment = (changes: Partial<AnnotationMark> = {}): AnnotationMark => ({
  page: 1,
  kind: 'Text',
  prints: true,
  isInside: true,
  region: { x: 1, y: 2, width: 3, height: 4 },
  ...changes,
})
const annotated = (...marks: AnnotationMark[]) =>
  document({ contents: documentContents({ annotations: { count: marks.length, marks } }) })

export const spec = specOf(annotationCheck, {
  good: [
    { name: 'none', given: annotated(), thresholds: { rule: 'none' } },
    { name: 'outside of the bleed', given: annotated(comment({ isInside: false })), thresholds: { rule: 'none' } },
    { name: 'on the screen only', given: annotated(comment({ prints: false })), thresholds: { rule: 'none_printed' } },
  ],
  bad: [
    {
      name: 'a comment',
      given: annotated(comment({ prints: false })),
      thresholds: { rule: 'none' },
      details: /1 annotation \(Text; first on page 1\) lies on what is printed/,
      occurrences: [{ page: 1, region: { x: 1, y: 2, width: 3, height: 4 } }],
    },
    {
      name: 'two that are printed, on a turned page',
      given: annotated(comment({ region: null }), comment({ region: null, kind: 'Stamp' })),
      thresholds: { rule: 'none_printed' },
      details: /2 annotations \(Text and Stamp; first on page 1\) lie/,
    },
  ],
  skipped: [
    { name: 'nothing is set', given: annotated(comment()), details: /1 annotation; no rule/ },
    { name: 'measured before', given: document({ contents: undefined }) },
  ],
  error: [
    {
      name: 'more than were looked at',
      given: document({
        contents: documentContents({ annotations: { count: 500, marks: [comment({ isInside: false })] } }),
      }),
      thresholds: { rule: 'none' },
      details: /500 annotations/,
    },
  ],
})
