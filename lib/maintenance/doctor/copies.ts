import { sql } from 'drizzle-orm'
import { type ContentCopy, makeAgain } from '@/lib/domain/files/content-copies'
import { type BlobKey, BlobNotFound, type BlobStore } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'
import { PLAYBACK } from '@/lib/domain/playback/find'
import { TILES } from '@/lib/domain/tiles/find'
import { atOnce } from '../at-once'
import { type Check, counted, ok } from './check'

const COPIES: readonly { copy: ContentCopy; name: string }[] = [
  { copy: PLAYBACK, name: 'playback copy' },
  { copy: TILES, name: 'set of tiles' },
]
const AT_ONCE = 4
const CHUNK = 500

type Row = { id: string; sha256: string; size: string | null }

/** Playback copies and tiles that are said to be ready are in the store. A backup has none: a restore brings the rows alone. */
export const copies: Check = {
  id: 'copies',
  needsDatabase: true,
  async examine({ ctx }) {
    const lost: { copy: ContentCopy; id: string; what: string }[] = []
    let examined = 0
    for (const { copy, name } of COPIES)
      await atOnce(AT_ONCE, readyOf(ctx, copy), async ({ id, sha256, size }) => {
        examined += 1
        const fault = await faultOf(ctx.ports.blobs, copy.keyOf(id), size)
        if (fault) lost.push({ copy, id, what: `The ${name} ${id} of the content ${sha256} ${fault}` })
      })
    if (lost.length === 0)
      return ok(`${counted(examined, 'playback copy or set of tiles', 'playback copies and sets of tiles')} there`)
    return {
      status: 'problem',
      value: `${lost.length} of ${counted(examined, 'playback copy or set of tiles', 'playback copies and sets of tiles')} missing or damaged`,
      details: lost.map(({ what }) => what),
      fix: '--fix has them made again, of the files they are of.',
      repair: async (tx) => {
        const done: string[] = []
        for (const { copy, name } of COPIES) {
          const ids = lost.filter((each) => each.copy === copy).map(({ id }) => id)
          for (const id of await makeAgain(tx, copy, ids)) done.push(`The ${name} ${id} is made again.`)
        }
        return { done }
      },
    }
  },
}

/** Those that are ready; rows are read a chunk at a time. */
async function* readyOf({ db }: Context, { table }: ContentCopy): AsyncGenerator<Row> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db.execute<Row>(sql`
      select id, sha256, size from ${table} where status = 'ready' and id > ${after}::uuid order by id limit ${CHUNK}`)
    yield* rows
    after = rows.at(-1)?.id ?? after
    if (rows.length < CHUNK) return
  }
}

async function faultOf(blobs: BlobStore, key: BlobKey, expected: string | null): Promise<string | null> {
  try {
    const size = await blobs.size(key)
    return expected === null || size === Number(expected) ? null : `has ${size} bytes instead of ${expected}`
  } catch (error) {
    if (error instanceof BlobNotFound) return 'is not in the store'
    throw error
  }
}
