import { z } from 'zod'
import { describeMediaType, extensionOf, isExtensionFor } from '@/lib/domain/files/media-types'
import { fail, fileCheck, pass } from '../check'
import { anyOf } from '../wording'

export const fileTypeCheck = fileCheck({
  id: 'file_type_check',
  label: 'File type',
  kinds: ['image', 'video', 'audio', 'document', 'archive', 'other'],
  describe: 'The content is of a type the media category takes, and the extension of the name says the same.',
  severity: 'blocking',
  thresholds: z.strictObject({
    allowed: z.array(z.string()).default([]).meta({
      title: 'Allowed media types',
      source: "Reasoned: the media category's own list where this one is empty",
    }),
  }),
  run({ mediaType, name, expectations }, { allowed }) {
    const wanted = allowed.length > 0 ? allowed : expectations.mediaTypes
    const found = describeMediaType(mediaType)
    if (wanted.length > 0 && !wanted.includes(mediaType)) {
      const list = anyOf(wanted.map(describeMediaType))
      return fail(`The type of the content is ${found}; ${list} is wanted.`, {
        measured: mediaType,
        expected: wanted.join(', '),
        fix: `Export “${name}” as ${list}.`,
      })
    }
    const extension = extensionOf(name)
    if (!isExtensionFor(extension, mediaType)) {
      return fail(`The name ends in “.${extension}” but the type of the content is ${found}.`, {
        measured: mediaType,
        expected: `.${extension}`,
        fix: `Rename the file to fit its content, or export it again as “.${extension}”.`,
      })
    }
    return pass(`The type of the content is ${found}, which fits the name.`, {
      measured: mediaType,
      ...(wanted.length > 0 && { expected: wanted.join(', ') }),
    })
  },
})
