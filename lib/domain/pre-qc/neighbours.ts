import { eq, inArray, sql } from 'drizzle-orm'
import { files, videoFrames } from '@/db/schema/files'
import { sharedFrames } from '@/lib/checks/shared-frames'
import type { KeyFrame, SharedFrames } from '@/lib/media/measurements'
import type { FileRow } from '../files/present'
import { seenSize } from '../files/seen-size'
import { type Context, inTransaction } from '../kernel/operation'

/** Share by which two sides may differ that count as the same. */
const TOLERANCE = 0.05

/** Bits of 64 in which the hashes of two images that look the same may differ. The index of images finds no more than these. */
export const NEAR_DUPLICATE_BITS = 6

/** Look-alikes among which the nearest are found. Of thousands of variants of one motif any will do. */
const MOST_LOOK_ALIKES = 200

/**
 * Files of the project that look alike and have about the same size: perceptual hashes that differ in at most `distance`
 * of 64 bits, up to the six by which the index finds them. One motif in many sizes is what a delivery is; the same motif twice
 * in one size is worth a check.
 */
export async function findNeighbours({ db }: Pick<Context, 'db'>, file: FileRow, hash: bigint, distance: number) {
  const given = sql`${hash.toString()}::bigint`
  const differing = sql`bit_count((f.perceptual_hash # ${given})::bit(64))::int`
  const found = await db.execute<{ fileId: string; name: string; distance: number }>(sql`
    select * from (
      select f.id as "fileId", f.name, ${differing} as distance from ${files} f
      where f.is_current and f.perceptual_hash is not null
        and look_alike_keys(f.project_id, f.perceptual_hash) && look_alike_keys(${file.projectId}::uuid, ${given})
        -- The keys are of the project already: its other files are not to be looked up.
        and f.project_id is not distinct from ${file.projectId}::uuid
        -- Videos are found by their frames.
        and f.kind <> 'video'
        and f.id <> ${file.id}::uuid and f.id is distinct from ${file.supersedesId}::uuid
        and ${differing} <= ${distance} and ${isSameSide(file, 'width')} and ${isSameSide(file, 'height')}
      limit ${MOST_LOOK_ALIKES}) found
    order by distance limit 5`)
  return [...found]
}

/** Sides as they are seen: a motif may be stored turned, or not. */
function isSameSide({ media }: FileRow, side: 'width' | 'height') {
  const own = seenSize(media)[side] ?? 0
  const [upright, turned] = side === 'width' ? ['width', 'height'] : ['height', 'width']
  const isTurned = sql`coalesce((f.media ->> 'orientation')::int, 1) >= 5`
  const theirs = sql`(f.media ->> case when ${isTurned} then ${turned}::text else ${upright}::text end)::numeric`
  return sql`abs(coalesce(${theirs}, 0) - ${own}) <= ${own * TOLERANCE}`
}

/** Frames of a video that are looked up, spread over it: a look-alike shares many of them. */
const MOST_PROBES = 16
/**
 * Differing bits up to which the index finds a frame: of two hashes that differ in at most three at least one of the four
 * words is the same. Saving again flips fewer in most frames, and one of them is enough to be compared by all.
 */
const FOUND_BY = 3
/** Videos whose frames are then compared one by one. */
const MOST_CANDIDATES = 10

export type SimilarVideo = { fileId: string; name: string; isOtherSize: boolean } & SharedFrames

/**
 * Videos of the project that show the same key frames in the same order, in any size. The index finds those that share some
 * key frame; whether they are one video is then decided by all of them.
 */
export async function findSimilarVideos(
  ctx: Context,
  file: FileRow,
  frames: readonly KeyFrame[],
  distance: number,
): Promise<SimilarVideo[]> {
  const step = Math.max(1, frames.length / MOST_PROBES)
  const probes = frames
    .filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
    .flatMap(rowsOf)
  if (probes.length === 0) return []
  const { key1, key2, key3, key4 } = videoFrames
  const lookups = probes.map(({ part, hash }) => {
    const keys = keysOf(file.projectId, part, hash)
    return sql`
      select distinct ${videoFrames.fileId} file_id from ${videoFrames}
      where (${key1} = ${keys.key1} or ${key2} = ${keys.key2} or ${key3} = ${keys.key3} or ${key4} = ${keys.key4})
        and ${videoFrames.part} = ${part}
        and bit_count((${videoFrames.hash} # ${hash.toString()}::bigint)::bit(64)) <= ${FOUND_BY}`
  })
  const candidates = await ctx.db.execute<{ file_id: string }>(sql`
    select found.file_id from (${sql.join(lookups, sql` union all `)}) found
    join ${files} on ${files.id} = found.file_id
    where ${files.projectId} = ${file.projectId} and ${files.isCurrent} and ${files.id} <> ${file.id}
      and ${files.id} is distinct from ${file.supersedesId}::uuid
    group by found.file_id
    order by count(*) desc, found.file_id
    limit ${MOST_CANDIDATES}`)
  const ids = [...candidates].map((row) => row.file_id)
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({ frame: videoFrames, name: files.name, media: files.media })
    .from(videoFrames)
    .innerJoin(files, eq(files.id, videoFrames.fileId))
    .where(inArray(videoFrames.fileId, ids))
    .orderBy(videoFrames.atMs, videoFrames.part)
  return ids
    .flatMap((fileId) => {
      const own = rows.filter(({ frame }) => frame.fileId === fileId)
      const shared = sharedFrames(frames, framesOf(own.map(({ frame }) => frame)), distance)
      const [first] = own
      if (!shared || !first) return []
      return [{ fileId, name: first.name, isOtherSize: !isSameSize(file.media, first.media), ...shared }]
    })
    .sort((a, b) => b.shared / b.of - a.shared / a.of || a.distance - b.distance)
    .slice(0, 5)
}

/** Keeps what a video looks like, instead of what was stored of it before. */
export async function storeKeyFrames(ctx: Context, file: FileRow, frames: readonly KeyFrame[]) {
  await inTransaction(ctx, async (tx) => {
    // Held, so that two comparisons of one video follow each other; gone with its file, there is nothing to keep.
    const [held] = await tx.db.select({ id: files.id }).from(files).where(eq(files.id, file.id)).for('no key update')
    await tx.db.delete(videoFrames).where(eq(videoFrames.fileId, file.id))
    const rows = frames.flatMap(rowsOf)
    if (!held || rows.length === 0) return
    await tx.db
      .insert(videoFrames)
      .values(rows.map((row) => ({ ...row, fileId: file.id, ...keysOf(file.projectId, row.part, row.hash) })))
  })
}

type FrameRow = Pick<typeof videoFrames.$inferSelect, 'atMs' | 'part' | 'hash'>

function rowsOf({ at, whole, middle }: KeyFrame): FrameRow[] {
  const atMs = Math.round(at * 1000)
  return [
    { atMs, part: 'whole', hash: signed(whole) },
    ...(middle === null ? [] : [{ atMs, part: 'middle' as const, hash: signed(middle) }]),
  ]
}

function framesOf(rows: readonly FrameRow[]): KeyFrame[] {
  const hashes = new Map(rows.map(({ atMs, part, hash }) => [`${atMs} ${part}`, unsigned(hash)]))
  return rows
    .filter(({ part }) => part === 'whole')
    .map(({ atMs, hash }) => ({
      at: atMs / 1000,
      whole: unsigned(hash),
      middle: hashes.get(`${atMs} middle`) ?? null,
    }))
}

/** 16 hexadecimal digits as PostgreSQL keeps them, and back. */
export const signed = (hash: string) => BigInt.asIntN(64, BigInt(`0x${hash}`))
const unsigned = (hash: bigint) => BigInt.asUintN(64, hash).toString(16).padStart(16, '0')

/** The four words of a hash for each part of the image, beginning somewhere else in each project. */
function keysOf(projectId: string, part: FrameRow['part'], hash: bigint) {
  const start = Number.parseInt(projectId.slice(-8), 16) + (part === 'whole' ? 0 : 65_536)
  const key = (word: number) => (start + Number((hash >> BigInt(word * 16)) & 65_535n)) | 0
  return { key1: key(0), key2: key(1), key3: key(2), key4: key(3) }
}

const isSameSize = (one: Record<string, unknown>, other: Record<string, unknown>) =>
  (['displayWidth', 'displayHeight'] as const).every(
    (side) => Math.abs(Number(one[side] ?? 0) - Number(other[side] ?? 0)) <= Number(one[side] ?? 0) * TOLERANCE,
  )
