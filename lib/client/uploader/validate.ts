import { type Expectations, supersededBy, validateBeforeBytes } from '@/lib/domain/files/rules'
import { nameKey } from '@/lib/domain/naming/portable-name'
import type { ExpectedFile, PublicUploadLink } from '@/lib/domain/upload-links/schema'
import type { Validate } from './queue'

/** Validates files by name and size with the very rules the server keeps, before a byte travels. */
export const validateBy =
  (expectations: Expectations): Validate =>
  (files) =>
    files.map((file) => validateBeforeBytes(expectations, file))

/** What the browser can validate by: the holder of a link knows the rule and what is expected, not what the batch holds. */
export function expectationsOfLink(link: PublicUploadLink): Expectations {
  const expected = link.batch.status === 'awaiting_resupply' ? (link.expected_files ?? []) : []
  return {
    by: 'upload_link',
    batchStatus: link.batch.status,
    template: link.naming.template,
    agencyCode: link.naming.agency_code,
    campaignCodes: link.naming.campaign_codes,
    mediaTypes: link.limits.media_types,
    maxFileSize: link.limits.max_file_size,
    current: expected.flatMap((file) => {
      if (file.file_id === null) return []
      const changes = {
        changeable: file.changeable_tokens,
        corrections: {},
        proposed: {},
        suggested: file.suggested_name,
      }
      const decision = 'rejected' as const
      const key = nameKey(file.name)
      return [
        { id: file.file_id, name: file.name, nameKey: key, version: 1, decision, sha256: '', formerKeys: [], changes },
      ]
    }),
    quotas: link.limits.bytes_left === null ? [] : [{ of: 'link', limit: link.limits.bytes_left, used: 0 }],
    // Outside a resupply the list names only what is missing; what came already, the server refuses by name.
    manifest: new Set(expected.filter(({ file_id }) => file_id === null).map(({ name }) => nameKey(name))),
  }
}

/** The name under which a file that was chosen for an expected one is sent: its own where that matches. */
export function nameForExpected(expectations: Expectations, expected: ExpectedFile, chosen: string): string {
  const isOwn =
    expected.file_id === null
      ? nameKey(chosen) === nameKey(expected.name)
      : supersededBy(expectations, chosen)?.id === expected.file_id
  return isOwn ? chosen : expected.suggested_name
}
