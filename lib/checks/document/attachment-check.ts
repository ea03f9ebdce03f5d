import { z } from 'zod'
import { fail, mediaCheck, pass, skip } from '../check'
import { allOf, count } from '../wording'
import { BEFORE_PRINT } from './painted'

export const attachmentCheck = mediaCheck({
  id: 'attachment_check',
  label: 'Attached files',
  kinds: ['document'],
  describe:
    'Files that are embedded in the document (ISO 32000-1, 7.11.4) or attached to a page: they are delivered with it, and cannot be seen on its pages.',
  severity: 'advisory',
  thresholds: z.strictObject({
    rule: z.enum(['any', 'none']).default('any').meta({
      title: 'Attached files',
      source: 'Reasoned: any unless set; a print job needs none, and working files may be confidential',
    }),
  }),
  run({ name, media: { contents } }, { rule }) {
    if (!contents) return BEFORE_PRINT
    const { count: files, names } = contents.attachments
    const listed = names.length > 0 ? ` (${allOf(names.slice(0, 5).map((each) => `“${each}”`))})` : ''
    const has =
      files === 0 ? 'The document has no attached file' : `The document has ${count(files, 'attached file')}${listed}`
    if (rule === 'any') return skip(`${has}; no rule is set for this media category.`)
    const extras = { measured: files, expected: 0, unit: 'files' }
    if (files === 0) return pass(`${has}, as wanted.`, extras)
    return fail(`${has}; none is wanted.`, {
      ...extras,
      fix: `Remove the attached files of “${name}” (Acrobat: Attachments, or Redact > Remove Hidden Information), and send it again.`,
    })
  },
})
