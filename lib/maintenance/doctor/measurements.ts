import { inArray, sql } from 'drizzle-orm'
import { contentMeasurements } from '@/db/schema/pre-qc'
import { unpackMeasured } from '@/lib/domain/pre-qc/measure-once'
import { type Check, counted, ok } from './check'

type Row = { id: string; sha256: string; document: Buffer | null; has_file: boolean; is_left: boolean }

/** Of so many the documents are read at once. */
const CHUNK = 200

/** What was measured of contents can be read, and is that of files that are there. */
export const measurements: Check = {
  id: 'measured',
  needsDatabase: true,
  async examine({ ctx, isQuick }) {
    const wrong: { id: string; what: string }[] = []
    let examined = 0
    for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
      // The sweeper comes every ten minutes.
      const rows: Row[] = [
        ...(await ctx.db.execute<Row>(sql`
          select m.id, m.sha256, ${isQuick ? sql`null::bytea` : sql`m.document`} as document,
            m.used_at > now() - interval '75 minutes' or exists (
              select from files f where f.sha256 = m.sha256 and f.removed_at is null) as has_file,
            m.claimed_until < now() - interval '135 minutes' as is_left
          from content_measurements m where m.id > ${after}::uuid order by m.id limit ${CHUNK}`)),
      ]
      for (const { id, sha256, document, has_file, is_left } of rows) {
        const isRead = document === null || (await unpackMeasured(document).catch(() => null)) !== null
        const why = !has_file
          ? 'no file keeps this content any more'
          : is_left
            ? 'who was measuring it has given it up'
            : isRead
              ? null
              : 'it cannot be read'
        if (why) wrong.push({ id, what: `The measurement ${id} of the content ${sha256}: ${why}` })
      }
      examined += rows.length
      after = rows.at(-1)?.id ?? after
      if (rows.length < CHUNK) break
    }
    if (wrong.length === 0) return ok(`${counted(examined, 'content')} measured`)
    return {
      status: 'problem',
      value: `${wrong.length} of ${counted(examined, 'measured content')} to be removed`,
      details: wrong.map(({ what }) => what),
      fix: '--fix removes them; a content is measured anew when it is checked.',
      repair: async (tx) => {
        for (let from = 0; from < wrong.length; from += CHUNK) {
          const ids = wrong.slice(from, from + CHUNK).map(({ id }) => id)
          await tx.db.delete(contentMeasurements).where(inArray(contentMeasurements.id, ids))
        }
        return { done: wrong.map(({ id }) => `The measurement ${id} is removed.`) }
      },
    }
  },
}
