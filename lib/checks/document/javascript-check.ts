import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'

export const javascriptCheck = mediaCheck({
  id: 'javascript_check',
  label: 'Scripts in the document',
  kinds: ['document'],
  describe: 'The document starts nothing: it holds no JavaScript and no action that launches a program.',
  severity: 'blocking',
  thresholds: z.strictObject({}),
  run({ media, name }) {
    const has = media.hasJavaScript ? 'JavaScript' : media.hasLaunchAction ? 'an action that launches a program' : null
    if (has === null)
      return pass('The document holds no script and launches nothing.', { measured: false, expected: false })
    return fail(`The document holds ${has}; none is wanted.`, {
      measured: true,
      expected: false,
      standard: 'ISO 15930 (PDF/X), actions and JavaScript',
      fix: `Export “${name}” as PDF/X, which leaves scripts out, or remove them (Acrobat: Redact > Remove Hidden Information).`,
    })
  },
})
