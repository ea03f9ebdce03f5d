import { sql } from 'drizzle-orm'
import { database } from '@/db/client'

/** What the database holds at this moment, as `pg_snapshot` (PostgreSQL, 9.27.5): 10:20:10,14,15. */
export async function currentSnapshot(): Promise<string> {
  const [row] = await database().db.execute<{ snapshot: string }>(sql`select pg_current_snapshot()::text as snapshot`)
  return row?.snapshot ?? ''
}

/** Which transactions a snapshot of the database sees, of the last 2 ** 31. */
export function seenBy(snapshot: string) {
  const { next, unfinished } = parseSnapshot(snapshot)
  // Identifiers of transactions go round after 2 ** 32: one comes before another when it is less than half way behind it.
  const isBegun = (xid: number) => ((xid - next) | 0) < 0
  const sees = (xid: number) => isBegun(xid) && !unfinished.has(xid)
  return {
    sees: (xid: string) => sees(shortId(xid)),
    /** Whether all that the other one sees is seen. */
    seesAllOf(other: string) {
      const then = parseSnapshot(other)
      const isNoOlder = ((then.next - next) | 0) <= 0
      return isNoOlder && [...unfinished].every((xid) => then.unfinished.has(xid) || ((xid - then.next) | 0) >= 0)
    },
  }
}

function parseSnapshot(snapshot: string) {
  const [, xmax = '', running = ''] = snapshot.split(':')
  return { next: shortId(xmax), unfinished: new Set(running.split(',').filter(Boolean).map(shortId)) }
}

/** The 32 bits by which a row names its transaction; a snapshot has 64. */
const shortId = (xid: string) => Number(BigInt(xid) & 0xffff_ffffn)
