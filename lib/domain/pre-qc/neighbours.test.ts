import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile } from '@/fixtures/factories'
import type { KeyFrame } from '@/lib/media/measurements'
import type { Context } from '../kernel/operation'
import { as } from '../testing'
import { findNeighbours, findSimilarVideos, storeKeyFrames } from './neighbours'

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

it('is served by an index, not by reading the files of the project', async () => {
  const batch = await makeBatch()
  const own = await makeFile(batch, { ...size, name: 'first.png', perceptualHash: 1n })
  // In parts, each within the limit of a statement on a busy machine.
  for (let from = 1; from <= 50_000; from += 5_000)
    await database().db.execute(sql`
    insert into files select copy.* from ${files} f, generate_series(${from}::int, ${from + 4_999}::int) n, lateral jsonb_populate_record(f, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'copy-' || n || '.png', 'name_key', 'copy-' || n || '.png', 'object_key', 'files/' || gen_random_uuid(),
      'sha256', encode(sha256(n::text::bytea), 'hex'), 'perceptual_hash', (('x' || substr(md5(n::text), 1, 16))::bit(64)::bigint))) copy
    where f.id = ${own.id}`)
  await testSql`analyze files`
  const plans: string[] = []
  await findNeighbours(noting(plans), own, 1n, 6)
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('files_look_alikes_index')
  // By nothing else: what looks like it in other projects, and the others of its own, are not read.
  expect(plans[0]?.match(/Scan .*/g)).toHaveLength(2)
})

it('finds the nearest of 200 where thousands look alike', async () => {
  const batch = await makeBatch()
  const own = await makeFile(batch, { ...size, name: 'variant.png', perceptualHash: 7n })
  await database().db.execute(sql`
    insert into files select copy.* from ${files} f, generate_series(1, 400) n, lateral jsonb_populate_record(f, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'variant-' || n || '.png', 'name_key', 'variant-' || n || '.png', 'object_key', 'files/' || gen_random_uuid(),
      'sha256', encode(sha256(('variant' || n)::bytea), 'hex'), 'perceptual_hash', 7 # (1 << (n % 3)))) copy
    where f.id = ${own.id}`)
  const twin = await makeFile(batch, { ...size, name: 'twin.png', perceptualHash: 7n })
  const found = await findNeighbours(context(), own, 7n, 6)
  expect(found).toHaveLength(5)
  expect(found.every(({ fileId, distance }) => fileId === twin.id || distance === 1)).toBe(true)
})

it('finds a motif that is stored turned', async () => {
  const batch = await makeBatch()
  const own = await makeFile(batch, { ...size, name: 'upright.png', perceptualHash: 5n })
  const media = { kind: 'image', width: 500, height: 1000 }
  const turned = await makeFile(batch, {
    ...size,
    name: 'turned.jpg',
    media: { ...media, orientation: 6 },
    perceptualHash: 5n,
  })
  const other = await makeFile(batch, {
    ...size,
    name: 'other.jpg',
    media: { ...media, orientation: 1 },
    perceptualHash: 5n,
  })
  const found = async (file: typeof own) => (await findNeighbours(context(), file, 5n, 6)).map(({ name }) => name)
  expect(await found(own)).toEqual(['turned.jpg'])
  expect(await found(turned)).toEqual(['upright.png'])
  expect(await found(other)).toEqual([])
})

it('finds nothing of another project', async () => {
  const [own, elsewhere] = [await makeBatch(), await makeBatch()]
  const file = await makeFile(own, { ...size, name: 'one.png', perceptualHash: 99n })
  await makeFile(elsewhere, { ...size, name: 'two.png', perceptualHash: 99n })
  expect(await findNeighbours(context(), file, 99n, 6)).toEqual([])
})

const video = {
  kind: 'video',
  mediaType: 'video/mp4',
  media: { kind: 'video', displayWidth: 1920, displayHeight: 1080 },
} as const

/** Key frames as unlike as two videos' are, always the same for the same seed. */
function keyFrames(seed: number, count: number): KeyFrame[] {
  const digits = (at: number) => createHash('md5').update(`${seed} ${at}`).digest('hex')
  return Array.from({ length: count }, (_, at) => ({
    at: at / 2,
    whole: digits(at).slice(0, 16),
    middle: at % 3 === 0 ? null : digits(at).slice(16),
  }))
}

it('finds videos that show the same key frames in the same order, of this project only, and not what was replaced', async () => {
  const batch = await makeBatch()
  const [elsewhere, frames] = [await makeBatch(), keyFrames(1, 10)]
  const make = async (name: string, shown: KeyFrame[], given: Parameters<typeof makeFile>[1] = {}, where = batch) => {
    const file = await makeFile(where, { ...video, name, ...given })
    await storeKeyFrames(context(), file, shown)
    return file
  }
  const own = await make('own.mp4', frames)
  const cut = await make('cut.mp4', frames.slice(4), {
    media: { ...video.media, displayWidth: 1280, displayHeight: 720 },
  })
  await make('card.mp4', [...keyFrames(2, 9), ...frames.slice(9)])
  await make(
    'backwards.mp4',
    frames.toReversed().map((frame, index) => ({ ...frame, at: index / 2 })),
  )
  await make('elsewhere.mp4', frames, {}, elsewhere)
  await make('replaced.mp4', frames, { isCurrent: false })
  expect(await findSimilarVideos(context(), own, frames, 6)).toEqual([
    { fileId: cut.id, name: 'cut.mp4', isOtherSize: true, shared: 6, of: 6, distance: 0 },
  ])
  await storeKeyFrames(context(), cut, keyFrames(3, 4))
  expect(await findSimilarVideos(context(), own, frames, 6)).toEqual([])
})

it('looks videos up in an index, however many the project has', async () => {
  const batch = await makeBatch()
  const frames = keyFrames(1, 12)
  const own = await makeFile(batch, { ...video, name: 'one.mp4' })
  const twin = await makeFile(batch, { ...video, name: 'two.mp4' })
  for (const each of [own, twin]) await storeKeyFrames(context(), each, frames)
  await database().db.execute(sql`
    insert into files select copy.* from ${files} f, generate_series(1, 1000) n, lateral jsonb_populate_record(f, jsonb_build_object(
      'id', gen_random_uuid(), 'name', 'video-' || n || '.mp4', 'name_key', 'video-' || n || '.mp4', 'object_key', 'files/' || gen_random_uuid(),
      'sha256', encode(sha256(('video' || n)::bytea), 'hex'))) copy
    where f.id = ${own.id}`)
  await database().db.execute(sql`
    insert into video_frames select f.id, at * 500, 'whole', random() * 1e18, random() * 65536, random() * 65536, random() * 65536, random() * 65536
    from ${files} f, generate_series(1, 40) at where f.project_id = ${batch.projectId} and f.name like 'video-%'`)
  await testSql`analyze video_frames`
  const plans: string[] = []
  const found = await findSimilarVideos(noting(plans), own, frames, 6)
  expect(found.map(({ name, shared, of }) => [name, shared, of])).toEqual([['two.mp4', 12, 12]])
  expect(plans).toHaveLength(1)
  expect(plans[0]).toContain('video_frames_key4_index')
  expect(plans[0]).not.toMatch(/Seq Scan on video_frames/)
})

/** A context that notes the plan of each statement it sends, before it runs. */
function noting(plans: string[]): Context {
  const ctx = context()
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'execute') return Reflect.get(target, name)
      return async (asked: ReturnType<typeof sql>) => {
        const plan = await target.execute<{ 'QUERY PLAN': string }>(sql`explain ${asked}`)
        plans.push([...plan].map((row) => row['QUERY PLAN']).join('\n'))
        return target.execute(asked)
      }
    },
  })
  return { ...ctx, db }
}
