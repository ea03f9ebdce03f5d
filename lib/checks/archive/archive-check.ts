import { z } from 'zod'
import type { ArchiveFacts } from '@/lib/media/facts'
import { type Finding, fail, mediaCheck, pass } from '../check'
import { allOf, count, fileSize, verb } from '../wording'
import { startDocument, statedSize, withoutComments } from './start-document'

/** What operating systems leave behind, and no ad server wants. */
const LITTER = /(^|\/)(__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i

const bound = (title: string, unit: string, source: string) =>
  z.number().int().positive().nullable().default(null).meta({ title, unit, source })

export const archiveCheck = mediaCheck({
  id: 'archive_check',
  label: 'Archive',
  kinds: ['archive'],
  describe:
    'How an archive is packed: one HTML file to start from where an HTML5 ad is asked for, no second ad beside the first, no archive in the archive, no litter of the operating system, paths that mean the same on every system, and its weight unpacked.',
  severity: 'blocking',
  thresholds: z.strictObject({
    entry_point: z.enum(['any', 'required']).default('any').meta({
      title: 'One HTML file in the top folder is',
      source:
        'Reasoned: not asked unless set, as not every archive is an ad; ad servers start index.html (Google Ad Manager)',
    }),
    max_files: bound('Most files', 'files', 'Reasoned: none unless set; Google takes 40 files of an HTML5 ad'),
    max_unpacked_bytes: bound(
      'Largest size unpacked',
      'bytes',
      'Reasoned: none unless set; IAB New Ad Portfolio (2017) limits the load by ad size',
    ),
    nested_archives: z.boolean().nullable().default(null).meta({
      title: 'Archives within the archive are allowed',
      source: 'Reasoned: where not set, not in an HTML5 ad, as no ad server unpacks them, and elsewhere yes',
    }),
  }),
  run({ media, name }, thresholds): Finding {
    const isAd = thresholds.entry_point === 'required' || media.entryPoints.length > 0
    const faults = [
      ...entryPointFaults(media, thresholds.entry_point === 'required'),
      ...secondAdFaults(media),
      ...(media.nestedArchives > 0 && !(thresholds.nested_archives ?? !isAd)
        ? [`it holds ${count(media.nestedArchives, 'archive')} in itself`]
        : []),
      ...(thresholds.max_files !== null && media.entryCount > thresholds.max_files
        ? [
            `it holds ${count(media.entryCount, 'file')}, at most ${thresholds.max_files} ${verb(thresholds.max_files, 'is', 'are')} wanted`,
          ]
        : []),
      ...(thresholds.max_unpacked_bytes !== null && media.uncompressedSize > thresholds.max_unpacked_bytes
        ? [
            `it unpacks to ${fileSize(media.uncompressedSize)}, at most ${fileSize(thresholds.max_unpacked_bytes)} are wanted`,
          ]
        : []),
      ...pathFaults(media),
    ]
    const extras = { measured: `${count(media.entryCount, 'file')}, ${fileSize(media.uncompressedSize)} unpacked` }
    if (faults.length > 0) {
      return fail(`The archive is not packed as wanted: ${faults.join('; ')}.`, {
        ...extras,
        fix: `Pack “${name}” again from its folder: fix that ${allOf(faults)}.`,
      })
    }
    return pass(
      `The archive holds ${count(media.entryCount, 'file')} and unpacks to ${fileSize(media.uncompressedSize)}.`,
      extras,
    )
  },
})

function entryPointFaults({ entryPoints }: ArchiveFacts, required: boolean): string[] {
  if (!required) return []
  // Readers find a page one folder down as well; ad servers do not.
  const top = entryPoints.filter((path) => !path.includes('/'))
  if (top.length === 0) {
    const below = entryPoints[0] === undefined ? '' : ` (“${entryPoints[0]}” lies below it)`
    return [`no HTML file lies in its top folder${below}, one is wanted`]
  }
  if (top.length === 1 || top.some((path) => path.toLowerCase() === 'index.html')) return []
  return [`${count(top.length, 'HTML file')} lie in its top folder (${top.slice(0, 3).join(', ')}), one is wanted`]
}

/** A second ad beside the first: a page of its own that states a size or defines a click tag, which no other page names. */
function secondAdFaults(media: ArchiveFacts): string[] {
  const { documents } = media
  const ads = documents.filter(
    ({ text }) => statedSize(text) !== null || /\bclick_?tag\w*\s*=(?!=)/i.test(withoutComments(text)),
  )
  const start = startDocument(media)
  const second = ads.find(
    ({ path }) =>
      path !== start?.path &&
      !documents.some((other) => other.path !== path && other.text.includes(path.slice(path.lastIndexOf('/') + 1))),
  )
  if (ads.length < 2 || !second) return []
  return [`“${start?.path}” and “${second.path}” are both ads to start from, one is wanted`]
}

function pathFaults({ entries }: ArchiveFacts): string[] {
  const paths = entries.map((entry) => entry.path)
  const litter = paths.filter((path) => LITTER.test(path))
  const folded = new Map<string, string>()
  const clashes: string[] = []
  for (const path of paths) {
    const key = path.normalize('NFC').toLowerCase()
    const other = folded.get(key)
    if (other !== undefined && clashes.length === 0)
      clashes.push(`“${other}” and “${path}” are one file on Windows and macOS`)
    folded.set(key, path)
  }
  return [...(litter.length > 0 ? [`it holds litter of the operating system (“${litter[0]}”)`] : []), ...clashes]
}
