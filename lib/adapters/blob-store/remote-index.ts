import { and, eq, gt, like } from 'drizzle-orm'
import type { Database } from '@/db/client'
import { remoteObjects } from '@/db/schema/operations'

type RemoteObject = { remoteKey: string; size: number }

/** Which file of a store that names its files itself is which object. */
export interface RemoteIndex {
  find(key: string): Promise<RemoteObject | null>
  /** False when the key is taken and not to be replaced. */
  put(key: string, object: RemoteObject, replace: boolean): Promise<boolean>
  delete(key: string): Promise<void>
  /** In the order of their keys: those that begin with `below`, from `from` on. */
  list(below?: string, from?: string): AsyncIterable<RemoteObject & { key: string; modifiedAt: Date }>
}

const PAGE = 1000

/** The index in our own database, where a unique key settles who was first. */
export function databaseIndex(db: Database): RemoteIndex {
  return {
    async find(key) {
      const [row] = await db.select().from(remoteObjects).where(eq(remoteObjects.key, key))
      return row ?? null
    },
    async put(key, object, replace) {
      const insert = db.insert(remoteObjects).values({ key, ...object })
      const written = replace
        ? await insert
            .onConflictDoUpdate({ target: remoteObjects.key, set: { ...object, modifiedAt: new Date() } })
            .returning()
        : await insert.onConflictDoNothing().returning()
      return written.length > 0
    },
    async delete(key) {
      await db.delete(remoteObjects).where(eq(remoteObjects.key, key))
    },
    async *list(below = '', from = below) {
      for (let after = from; ; ) {
        const rows = await db
          .select()
          .from(remoteObjects)
          .where(and(gt(remoteObjects.key, after), like(remoteObjects.key, `${below}%`)))
          .orderBy(remoteObjects.key)
          .limit(PAGE)
        yield* rows
        const last = rows.at(-1)
        if (rows.length < PAGE || !last) return
        after = last.key
      }
    },
  }
}
