import { z } from 'zod'
import { fail, fileCheck, isFailure, pass, warn } from '../check'
import { allOf } from '../wording'

export const integrityCheck = fileCheck({
  id: 'integrity_check',
  label: 'File integrity',
  kinds: ['image', 'video', 'audio', 'document', 'archive', 'other'],
  describe: 'The file is what it says it is and decodes from its first byte to its last.',
  severity: 'blocking',
  thresholds: z.strictObject({}),
  run({ integrity, name, depth }) {
    // An inspection that did not finish says nothing about the bytes.
    if (isFailure(integrity)) return integrity
    const [first, ...others] = integrity.violations
    if (first) {
      const more = others.length > 0 ? ` Found besides: ${allOf(others.map((other) => other.code))}.` : ''
      return fail(`${first.message}${more}`, {
        measured: first.code,
        expected: 'sound',
        fix: `Export “${name}” again from its source, or send it again: the copy that arrived is damaged.`,
      })
    }
    if (!integrity.complete && depth === 'quick') {
      return pass('Every packet is there and no fault was found; the quick profile decodes key frames only.', {
        measured: 'intact as far as decoded',
        expected: 'sound',
        confidence: 0.8,
      })
    }
    if (!integrity.complete) {
      return warn(
        'The file was walked to its end and no fault was found, but it has not been decoded to the end yet.',
        {
          measured: 'partly decoded',
          expected: 'decoded to the end',
        },
      )
    }
    return pass('The file decodes from beginning to end without a fault.', { measured: 'sound', expected: 'sound' })
  },
})
