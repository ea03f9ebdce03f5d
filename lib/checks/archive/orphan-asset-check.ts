import { z } from 'zod'
import { fail, mediaCheck, pass } from '../check'
import { allOf, count, fileSize, verb } from '../wording'
import { isBackupName } from './backup-image-check'
import { mayRunScripts, notAnAd } from './start-document'

export const orphanAssetCheck = mediaCheck({
  id: 'orphan_asset_check',
  label: 'Files that are not needed',
  kinds: ['archive'],
  needs: ['banner'],
  notFor: notAnAd,
  describe:
    'Files of the archive that the running ad never asked for and whose name no HTML, style or script of it mentions. A backup image is not meant.',
  severity: 'advisory',
  confidence:
    '1 for a pass, and for a file that is not needed in an ad without scripts; 0.85 with scripts, as one may put a name together from parts.',
  thresholds: z.strictObject({
    max_files: z.number().int().nonnegative().default(0).meta({
      title: 'Most files that are not needed',
      unit: 'files',
      source: 'Reasoned: each weighs, and some ad servers refuse them',
    }),
  }),
  run({ media, measures: { banner }, name }, { max_files }) {
    const orphans = banner.unused.filter(({ path }) => !isBackupName(path))
    const extras = { measured: orphans.length, expected: max_files, unit: 'files' }
    if (orphans.length <= max_files) {
      return pass(
        orphans.length === 0
          ? 'Every file of the archive is asked for or mentioned.'
          : `${count(orphans.length, 'file')} of the archive ${verb(orphans.length, 'is', 'are')} needed by nothing; ${max_files} ${verb(max_files, 'is', 'are')} allowed.`,
        extras,
      )
    }
    const weight = fileSize(orphans.reduce((sum, { bytes }) => sum + bytes, 0))
    const shown = orphans.slice(0, 5).map(({ path }) => `“${path}”`)
    const more = orphans.length > shown.length ? [`${orphans.length - shown.length} more`] : []
    return fail(
      `Nothing in the ad needs ${count(orphans.length, 'file')} of ${weight} unpacked: ${allOf([...shown, ...more])}.`,
      {
        ...extras,
        confidence: mayRunScripts(media) ? 0.85 : 1,
        fix: `Pack “${name}” again without ${allOf([...shown, ...more])}.`,
      },
    )
  },
})
