import { z } from 'zod'
import type { ArchiveFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { fileSize } from '../wording'
import { startDocument } from './start-document'

const IMAGE = /\.(?:jpe?g|png|gif)$/i
const SURELY = /(?:^|[\W_])(?:backup|fallback)(?:[\W_]|$)/i
const BACKUP = /(?:^|[\W_])(?:backup|fallback|static|default)(?:[\W_]|$)/i

/** A file that is there to be shown where the ad cannot run. */
export const isBackupName = (path: string) => IMAGE.test(path) && BACKUP.test(path)

export const backupImageCheck = mediaCheck({
  id: 'backup_image_check',
  label: 'Backup image',
  kinds: ['archive'],
  describe:
    'The archive holds a still image to be shown where the ad cannot run: a JPEG, PNG or GIF in the top folder whose name says backup, fallback, static or default, or the only image there.',
  severity: 'advisory',
  confidence:
    '1 for an archive without a JPEG, PNG or GIF. 0.97 by a name that says backup or fallback, 0.9 by one that says static or default, or that none of several images is it. When it is only the one image in the top folder: 0.95 where no HTML file names it, so that the ad does not need it itself, otherwise 0.6.',
  thresholds: z.strictObject({
    max_bytes: z.number().int().positive().default(40_000).meta({
      title: 'Largest backup image',
      unit: 'bytes',
      source: 'Reasoned: 40 kB is what ad servers take for a standard still; it is loaded on top of the ad',
    }),
  }),
  run({ media, name }, { max_bytes }) {
    if (!startDocument(media)) return skip('The archive holds no HTML file to start from, so it is not an HTML5 ad.')
    const images = media.entries.filter(({ path }) => IMAGE.test(path) && !path.includes('__MACOSX'))
    const top = images.filter(({ path }) => !path.includes('/'))
    const named = images.find(({ path }) => isBackupName(path))
    const backup = named ?? (top.length === 1 ? top[0] : undefined)
    const confidence = images.length === 0 ? 1 : backup ? sureOf(backup.path, media) : 0.9
    if (!backup) {
      return fail('The archive holds no backup image.', {
        measured: 'none',
        expected: 'backup image',
        confidence,
        fix: `Save the last frame of the ad as backup.jpg (at most ${fileSize(max_bytes)}) into the top folder of “${name}”.`,
      })
    }
    const extras = { measured: backup.size, expected: max_bytes, unit: 'bytes', confidence }
    const is = `“${backup.path}” has ${fileSize(backup.size)}`
    if (backup.size <= max_bytes) return pass(`The backup image ${is}.`, extras)
    return fail(`The backup image ${is}; at most ${fileSize(max_bytes)} is wanted.`, {
      ...extras,
      fix: `Save “${backup.path}” with a lower JPEG quality, at most ${fileSize(max_bytes)}.`,
    })
  },
})

/** That an image is the backup of the ad, and none of those it shows. */
function sureOf(path: string, { documents }: ArchiveFacts): number {
  if (isBackupName(path)) return SURELY.test(path) ? 0.97 : 0.9
  return documents.some(({ text }) => text.includes(path)) ? 0.6 : 0.95
}
