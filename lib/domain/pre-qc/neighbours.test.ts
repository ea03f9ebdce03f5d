import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { database } from '@/db/client'
import { makeBatch, makeFile } from '@/db/factories'
import { files } from '@/db/schema/files'
import { testSql } from '@/db/testing'
import type { Context } from '../kernel/operation'
import { as } from '../testing'
import { findNeighbours } from './work'

const context = () => as('system')
const size = { kind: 'image', media: { kind: 'image', width: 1000, height: 500 } } as const

it('finds what looks the same in up to six bits, and nothing that differs in more', async () => {
  const batch = await makeBatch()
  const own = await makeFile(batch, { ...size, name: 'own.png', perceptualHash: 0x0f0f_0f0f_0f0f_0f0fn })
  const near = await makeFile(batch, { ...size, name: 'near.png', perceptualHash: 0x0f0f_0f0f_0f0f_0f0fn ^ 0b11_1111n })
  await makeFile(batch, { ...size, name: 'far.png', perceptualHash: 0x0f0f_0f0f_0f0f_0f0fn ^ 0b111_1111n })
  const spread = 0x0101_0101_0101n
  const across = await makeFile(batch, { ...size, name: 'across.png', perceptualHash: 0x0f0f_0f0f_0f0f_0f0fn ^ spread })
  const found = await findNeighbours(context(), own, 0x0f0f_0f0f_0f0f_0f0fn, 6)
  expect(found.map(({ fileId, distance }) => [fileId, distance]).sort()).toEqual(
    [
      [near.id, 6],
      [across.id, 6],
    ].sort(),
  )
})

it('is answered by an index, not by reading the files of the project', async () => {
  const batch = await makeBatch()
  const own = await makeFile(batch, { ...size, name: 'first.png', perceptualHash: 1n })
  await database().db.execute(sql`
    insert into files select copy.* from ${files} f, generate_series(1, 50000) n, lateral jsonb_populate_record(f, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'copy-' || n || '.png', 'name_key', 'copy-' || n || '.png', 'object_key', 'files/' || gen_random_uuid(),
      'sha256', encode(sha256(n::text::bytea), 'hex'), 'perceptual_hash', (('x' || substr(md5(n::text), 1, 16))::bit(64)::bigint))) copy
    where f.id = ${own.id}`)
  await testSql`analyze files`
  const asked: string[] = []
  const ctx = context()
  await findNeighbours({ ...ctx, db: listening(ctx.db, asked) }, own, 1n, 6)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('files_perceptual_bands_index')
  expect(asked[0]).not.toMatch(/Seq Scan on files/)
})

/** The database of a context, with the plan of each select noted before it runs. */
function listening<D extends Context['db']>(db: D, plans: string[]): D {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'select') return Reflect.get(target, name)
      return (fields: Parameters<D['select']>[0]) => ({
        from: (table: typeof files) => ({
          where: (condition: ReturnType<typeof sql>) => ({
            orderBy: (order: ReturnType<typeof sql>) => ({
              limit: async (most: number) => {
                const asked = target
                  .select(fields as never)
                  .from(table)
                  .where(condition)
                  .orderBy(order)
                  .limit(most)
                const plan = await target.execute<{ 'QUERY PLAN': string }>(sql`explain ${asked.getSQL()}`)
                plans.push([...plan].map((row) => row['QUERY PLAN']).join('\n'))
                return asked
              },
            }),
          }),
        }),
      })
    },
  })
}
