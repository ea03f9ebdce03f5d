import type { Subject } from '../../check'
import { integrityCheck } from '../../file/integrity-check'
import { image, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const file = (changes: Partial<Subject> = {}) => image({}, changes)
const inspected = (integrity: Subject['integrity']) => file({ integrity })
const broken = { code: 'truncated', message: 'The image ends after 60 % of its rows.' }

export const spec = specOf(integrityCheck, {
  good: [
    { name: 'no fault was found', given: file() },
    { name: 'a font without a fault', given: subject(otherFacts()) },
  ],
  bad: [
    {
      name: 'two faults, named in one sentence',
      given: inspected({ violations: [broken, { code: 'corrupt', message: 'x' }], complete: true }),
      details: /ends after 60 % of its rows\. Found besides: corrupt\.$/,
    },
    {
      name: 'part of it waits to be decoded: a warning',
      given: inspected({ violations: [], complete: false }),
      says: 'warning',
      details: /not been decoded to the end yet/,
    },
  ],
  error: [
    {
      name: 'the inspector died',
      given: inspected({ failed: 'the inspector was killed after 120 s' }),
      details: 'Not checked: the inspector was killed after 120 s.',
    },
  ],
})
