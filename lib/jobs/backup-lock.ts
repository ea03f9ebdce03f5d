import { sql } from 'drizzle-orm'
import type { Executor } from '@/db/client'

/** Any two numbers, the same in every version of the product. */
const [KIND, LOCK] = [1_735_552, 6_291_017]

/**
 * Takes the lock of backups for the transaction it is called in; false when another backup has it. While it is held,
 * nothing deletes objects, so that a backup finds all that its rows name.
 */
export async function takeBackupLock(db: Executor): Promise<boolean> {
  const [row] = await db.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${KIND}::int, ${LOCK}::int) as taken`,
  )
  return row?.taken === true
}

/**
 * Whether a backup is under way. Asked after it was found out that no row claims an object, and before it is deleted: a
 * backup that begins in between has no such row either.
 */
export async function isBackupUnderWay(db: Executor): Promise<boolean> {
  const [row] = await db.execute<{ held: boolean }>(sql`
    select exists (
      select 1 from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and l.classid = ${KIND}::oid and l.objid = ${LOCK}::oid and l.objsubid = 2 and l.granted
    ) as held`)
  return row?.held === true
}
