import type { z } from 'zod'
import type { Tx } from '../kernel/operation'
import type { Place } from './held'
import { expectationsOf, findSameContent } from './intake'
import { type Expectations, validateBeforeBytes, validateBytes, withMore } from './rules'
import type { CheckedFiles, CheckFiles } from './schema'

/** A dry run: what would be said of each of these files by name, size and hash. Nothing is stored. */
export async function checkAll(
  tx: Tx,
  where: Place,
  by: Expectations['by'],
  { files }: z.output<typeof CheckFiles>,
): Promise<z.output<typeof CheckedFiles>> {
  let expectations = await expectationsOf(tx, where, by)
  const same = await Promise.all(
    files.map(({ sha256 }) => (sha256 ? findSameContent(tx, where, sha256.toLowerCase()) : null)),
  )
  const checked = []
  for (const [index, file] of files.entries()) {
    const violations = validateBeforeBytes(expectations, file)
    if (file.sha256) {
      const sha256 = file.sha256.toLowerCase()
      const named = { name: file.name, sha256, inspection: { mediaType: '', violations: [] } }
      const ofContent = validateBytes(expectations, named, same[index] ?? null)
      violations.push(...ofContent.filter(({ rule }) => rule !== 'media_type'))
    }
    const accepted = violations.length === 0
    // Files that fit one by one may not fit together.
    if (accepted) expectations = { ...expectations, quotas: withMore(expectations.quotas, file.size) }
    checked.push({ name: file.name, accepted, violations })
  }
  return { files: checked }
}
