import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { allOf, count, verb } from '../wording'
import { notAnAd, WITHOUT_LIBRARIES } from './start-document'

export const consoleErrorCheck = mediaCheck({
  id: 'console_error_check',
  label: 'Errors in the console',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'Uncaught exceptions and errors in the console while the ad ran. Files that could not be loaded are reported by other checks.',
  severity: 'advisory',
  confidence:
    '1: they were heard; 0.6 where libraries or data of other servers were refused here, which may be their cause.',
  thresholds: z.strictObject({
    max_errors: z.number().int().nonnegative().default(0).meta({
      title: 'Most different errors',
      unit: 'errors',
      source: 'Reasoned: an ad without faults writes none',
    }),
  }),
  run({ measures: { banner } }, { max_errors }) {
    const { errors } = banner
    // What only an image or a count was asked for breaks no script.
    const isAlone = banner.requests.some(
      ({ status, kind }) => status === 'outside' && !/^(?:Image|Media|Font|Ping)$/.test(kind),
    )
    const extras = { measured: errors.length, expected: max_errors, unit: 'errors' }
    if (errors.length <= max_errors) {
      return pass(
        errors.length === 0
          ? 'The ad ran without errors.'
          : `The ad ran with ${count(errors.length, 'error')}; ${max_errors} ${verb(max_errors, 'is', 'are')} allowed.`,
        extras,
      )
    }
    const shown = errors.slice(0, 3).map(({ text, count: times }) => `“${text}”${times > 1 ? ` (${times} times)` : ''}`)
    const more = errors.length > shown.length ? [`${errors.length - shown.length} more`] : []
    return fail(
      `The ad ran with ${count(errors.length, 'error')}: ${allOf([...shown, ...more])}.${isAlone ? WITHOUT_LIBRARIES : ''}`,
      {
        ...extras,
        confidence: isAlone ? 0.6 : 1,
        fix: `Open “${banner.start}” in a browser with its console, and fix ${allOf(shown)}.`,
      },
    )
  },
})
