import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { bounds } from '../wording'

const bound = (title: string) =>
  z.number().min(1).max(2).nullable().default(null).meta({
    title,
    source: 'Reasoned: none unless set; PDF/X-1a is 1.4 at most (ISO 15930-4), PDF/X-4 is 1.6 at most (ISO 15930-7)',
  })

export const pdfVersionCheck = mediaCheck({
  id: 'pdf_version_check',
  label: 'PDF version',
  kinds: ['document'],
  describe: 'The version the document states; the catalogue’s statement wins over the header’s (ISO 32000-1, 7.5.2).',
  severity: 'blocking',
  thresholds: z.strictObject({ min_version: bound('Lowest version'), max_version: bound('Highest version') }),
  run({ media, name }, { min_version, max_version }) {
    const wanted = bounds(min_version, max_version, (version) => `PDF ${version.toFixed(1)}`)
    const has = `The document is PDF ${media.pdfVersion}`
    if (wanted === null) return skip(`${has}; no version is set for this media category.`)
    const version = Number(media.pdfVersion)
    if (!Number.isFinite(version)) return { failed: `the version “${media.pdfVersion}” is not a number` }
    const details = `${has}; ${wanted} is wanted.`
    const extras = { measured: media.pdfVersion, expected: wanted }
    if ((min_version === null || version >= min_version) && (max_version === null || version <= max_version)) {
      return pass(details, extras)
    }
    const target = (max_version !== null && version > max_version ? max_version : (min_version ?? 1.4)).toFixed(1)
    return fail(details, { ...extras, fix: `Export “${name}” again with the compatibility PDF ${target}.` })
  },
})
