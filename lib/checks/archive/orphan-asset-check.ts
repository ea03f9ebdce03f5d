import { z } from 'zod'
import type { ArchiveFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass } from '../check'
import { allOf, count, fileSize, verb } from '../wording'
import { isBackupName } from './backup-image-check'
import { BUILT, isScriptRead, mayRunScripts, notAnAd } from './start-document'

/** Text put together from parts: `'img/' + name`, a template, a list that is joined. */
const JOINED = /["'`]\s*\+|\+\s*["'`]|\$\{|\.(?:join|concat|replace|replaceAll)\s*\(/

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
    '1 for a pass, and for a file that is not needed in an ad without scripts; 0.99 where all scripts were read and none puts text together; else 0.85, as one may put a name together from parts.',
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
        confidence: sureOf(media, orphans),
        fix: `Pack “${name}” again without ${allOf([...shown, ...more])}.`,
      },
    )
  },
})

/** That no script needs files that nothing asked for or names; scripts among them did not run. */
function sureOf(media: ArchiveFacts, orphans: readonly { path: string }[]): number {
  const entries = media.entries.filter(({ path }) => !orphans.some((orphan) => orphan.path === path))
  const others = { ...media, entries, entryCount: media.entryCount - (media.entries.length - entries.length) }
  if (!mayRunScripts(others)) return 1
  const puts = media.documents.some(({ text }) => JOINED.test(text) || BUILT.test(text))
  return isScriptRead(others) && !puts ? 0.99 : 0.85
}
