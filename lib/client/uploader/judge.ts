import { allowedExtensions, type Expectations, judgeBeforeBytes } from '@/lib/domain/files/rules'
import { judgeName } from '@/lib/domain/naming/judge-name'
import type { Judgement } from './queue'

/** Judges a file by name and size with the very rules the server keeps, before a byte travels. */
export function judgeUpload(expectations: Expectations, file: { name: string; size: number }): Judgement {
  const { template, agencyCode, campaignCodes, mediaTypes } = expectations
  const verdict = judgeName({
    template,
    name: file.name,
    context: { agencyCode, campaignCodes, extensions: allowedExtensions(mediaTypes) },
  })
  return { violations: judgeBeforeBytes(expectations, file), verdict }
}
