import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { allOf, count } from '../wording'
import { notAnAd, targetsOf } from './start-document'

export const missingAssetCheck = mediaCheck({
  id: 'missing_asset_check',
  label: 'Missing files',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'Files the running ad asked for that are not in the archive, by their exact name: servers distinguish A from a.',
  severity: 'blocking',
  thresholds: z.strictObject({}),
  run({ measures: { banner }, media, name }) {
    const missing = targetsOf(banner.requests.filter(({ status }) => status === 'missing'))
    const extras = { measured: missing.length, expected: 0, unit: 'files' }
    if (missing.length === 0) return pass('Every file the ad asked for is in the archive.', extras)
    const shown = missing.slice(0, 5).map((path) => {
      const base = (whole: string) => whole.slice(whole.lastIndexOf('/') + 1).toLowerCase()
      const near = media.entries.find((entry) => base(entry.path) === base(path))
      return near ? `“${path}” (the archive has “${near.path}”)` : `“${path}”`
    })
    const more = missing.length > shown.length ? [`${missing.length - shown.length} more`] : []
    return fail(
      `The ad asks for ${count(missing.length, 'file')} that the archive does not hold: ${allOf([...shown, ...more])}.`,
      {
        ...extras,
        fix: `Add ${allOf(missing.slice(0, 5).map((path) => `“${path}”`))} to “${name}” under exactly that name, or take what refers to ${missing.length === 1 ? 'it' : 'them'} out.`,
      },
    )
  },
})
