import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'
import { and, eq, gt, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { newId } from '@/db/schema/columns'
import { contentMeasurements } from '@/db/schema/pre-qc'
import { log } from '@/lib/log'
import type { Context, Tx } from '../kernel/operation'
import { type Among, idsAmong, isAnyOf, nextAfter } from '../kernel/rows'
import { isWhole, type WayOfMeasuring, wayOf } from './measuring-rules'
import type { Measured } from './port'

/** Who measures a content gives a sign of life so often; without one for so long another may begin. */
const SIGN_OF_LIFE_MS = 10_000
const CLAIM = sql`now() + interval '45 seconds'`
/** Who waits for the measurement of another asks so often. */
const ASK_MS = 250

/** A content and how it is measured: two that are equal have the same measurement. */
type Content = { sha256: string; version: string; way: string }

export type MeasuredOnce = {
  measured: Measured
  /** When, where that was before. */
  measuredAt: Date | null
}

/** Gives the path at which a file can be read meanwhile. */
export type AtPath = <T>(use: (path: string) => Promise<T>) => Promise<T>

/**
 * Takes what was measured of this content before, by the same code, in the same way, without reading a byte of it; else
 * measures the file. Of several who ask at once one measures, and the others wait for it. What the machine could not measure
 * to its end is not stored, nor is anything of a file whose bytes are no longer those that came.
 */
export async function measureOnce(
  later: () => Context,
  atPath: AtPath,
  { sha256, way: given }: { sha256: string; way: WayOfMeasuring },
  measure: (path: string) => Promise<Measured>,
): Promise<MeasuredOnce> {
  const way = wayOf(given)
  const content = way === null ? null : { sha256, version: later().ports.preQc.version, way }
  const before = content && (await findKnown(later(), content))
  if (before) return before
  return atPath(async (path) => {
    const anew = async () => ({ measured: await measure(path), measuredAt: null })
    if (content === null || (await hashOf(path)) !== sha256) return anew()
    for (;;) {
      const claim = await takeClaim(later(), content)
      if (claim) {
        const measured = await measureClaimed(later, { content, claim, way: given }, () => measure(path))
        return { measured, measuredAt: null }
      }
      const known = await findKnown(later(), content)
      if (known) return known
      await delay(ASK_MS)
    }
  })
}

/**
 * The same for callers that need no answer: what is known, or is being measured, is left, and bytes that are no longer those that came
 * are not measured. Whether it measured.
 */
export async function measureUnlessKnown(
  later: () => Context,
  path: string,
  { sha256, way }: { sha256: string; way: WayOfMeasuring },
  measure: () => Promise<Measured>,
): Promise<boolean> {
  const words = wayOf(way)
  if (words === null || (await hashOf(path)) !== sha256) return false
  const content = { sha256, version: later().ports.preQc.version, way: words }
  const claim = await takeClaim(later(), content)
  if (claim) await measureClaimed(later, { content, claim, way }, measure)
  return claim !== null
}

/** Stores what was measured of a content without having been asked for; what is known, or is being measured, stays as it is. */
export async function storeMeasured(
  { db, now, ports }: Context,
  { sha256, way }: { sha256: string; way: WayOfMeasuring },
  measured: Measured,
): Promise<void> {
  const words = wayOf(way)
  if (words === null || !isWhole(measured, way)) return
  const content = { sha256, version: ports.preQc.version, way: words }
  const made = { ...(await pack(measured)), madeAt: now, usedAt: now }
  await db
    .insert(contentMeasurements)
    .values({ id: newId(now), ...content, ...made })
    .onConflictDoNothing()
}

/** Whether it was measured, is being measured, or is never stored. */
export async function isTakenCareOf(
  { db, ports }: Context,
  { sha256, way }: { sha256: string; way: WayOfMeasuring },
): Promise<boolean> {
  const words = wayOf(way)
  if (words === null) return true
  const [row] = await db
    .select({ id: contentMeasurements.id })
    .from(contentMeasurements)
    .where(
      and(
        isContent({ sha256, version: ports.preQc.version, way: words }),
        or(isNotNull(contentMeasurements.document), gt(contentMeasurements.claimedUntil, sql`now()`)),
      ),
    )
  return row !== undefined
}

/** The SHA-256 of the bytes as they are now; null where they cannot be read, which who measures them says better. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  } catch {
    return null
  }
  return hash.digest('hex')
}

const isContent = ({ sha256, version, way }: Content) =>
  and(
    eq(contentMeasurements.sha256, sha256),
    eq(contentMeasurements.version, version),
    eq(contentMeasurements.way, way),
  )

/** What is known of the content; null where it was not measured, or is being measured. */
const findKnown = async (ctx: Context, content: Content): Promise<MeasuredOnce | null> =>
  (await findAllKnown(ctx, [content])).get(nameOf(content)) ?? null

const nameOf = ({ sha256, version, way }: Content) => `${sha256} ${version} ${way}`

/** The same of many contents, by their names. `mostBytes`: of the JSON of each. */
async function findAllKnown(
  { db, now, ports }: Context,
  contents: readonly Content[],
  mostBytes?: number,
): Promise<Map<string, MeasuredOnce>> {
  const asked = new Set(contents.map(nameOf))
  const rows = await db
    .select()
    .from(contentMeasurements)
    .where(
      and(
        sql`${contentMeasurements.sha256} = any(${sql.param(contents.map(({ sha256 }) => sha256))}::text[])`,
        eq(contentMeasurements.version, ports.preQc.version),
        mostBytes === undefined ? undefined : lte(contentMeasurements.bytes, mostBytes),
      ),
    )
  const known = new Map<string, MeasuredOnce>()
  const read: string[] = []
  const unreadable: string[] = []
  for (const row of rows) {
    if (!asked.has(nameOf(row)) || !row.document || !row.madeAt) continue
    const measured = await unpackMeasured(row.document).catch(() => null)
    if (!measured) {
      unreadable.push(row.id)
      continue
    }
    known.set(nameOf(row), { measured, measuredAt: row.madeAt })
    read.push(row.id)
  }
  if (unreadable.length > 0) {
    log.warn({ ids: unreadable }, 'stored measurements could not be read: they are made anew')
    await db.delete(contentMeasurements).where(isAnyOf(contentMeasurements.id, unreadable))
  }
  if (read.length > 0)
    await db.update(contentMeasurements).set({ usedAt: now }).where(isAnyOf(contentMeasurements.id, read))
  return known
}

/** A measurement of more is not read together with others: that of a document of many pages takes megabytes. */
export const MOST_BYTES_OF_MANY = 200_000

/** What is known of each of these contents, in their order; null where it was not measured, is being measured, or is large. */
export async function findMeasured(
  ctx: Context,
  contents: readonly { sha256: string; way: WayOfMeasuring }[],
): Promise<(MeasuredOnce | null)[]> {
  const named = contents.map(({ sha256, way }) => {
    const words = wayOf(way)
    return words === null ? null : { sha256, version: ctx.ports.preQc.version, way: words }
  })
  const asked = named.filter((content) => content !== null)
  const known = await findAllKnown(ctx, asked, MOST_BYTES_OF_MANY)
  return named.map((content) => (content && known.get(nameOf(content))) ?? null)
}

/** The right to measure it; null while another has that. */
async function takeClaim({ db, now }: Context, content: Content): Promise<string | null> {
  const claim = newId(now)
  const [row] = await db
    .insert(contentMeasurements)
    .values({ id: newId(now), ...content, usedAt: now, claim, claimedUntil: CLAIM as SQL<Date> })
    .onConflictDoUpdate({
      target: [contentMeasurements.sha256, contentMeasurements.version, contentMeasurements.way],
      set: { claim, claimedUntil: CLAIM },
      setWhere: lt(contentMeasurements.claimedUntil, sql`now()`),
    })
    .returning({ id: contentMeasurements.id })
  return row ? claim : null
}

async function measureClaimed(
  later: () => Context,
  { content, claim, way }: { content: Content; claim: string; way: WayOfMeasuring },
  measure: () => Promise<Measured>,
): Promise<Measured> {
  const isOurs = and(isContent(content), eq(contentMeasurements.claim, claim))
  const failed = (error: unknown) => log.warn({ err: error }, 'what was measured of a content could not be stored')
  const alive = setInterval(() => {
    void later().db.update(contentMeasurements).set({ claimedUntil: CLAIM }).where(isOurs).catch(failed)
  }, SIGN_OF_LIFE_MS)
  let measured: Measured | undefined
  try {
    measured = await measure()
    return measured
  } finally {
    clearInterval(alive)
    await settle(later(), isOurs, measured && isWhole(measured, way) ? measured : null).catch(failed)
  }
}

/** Stores what was measured, or gives the claim back for another to try. */
async function settle({ db, now }: Context, isOurs: SQL | undefined, measured: Measured | null) {
  if (measured) {
    const made = { ...(await pack(measured)), madeAt: now, usedAt: now, claim: null, claimedUntil: null }
    await db.update(contentMeasurements).set(made).where(isOurs)
  } else await db.delete(contentMeasurements).where(isOurs)
}

async function pack({ media, integrity, measures }: Measured): Promise<{ document: Buffer; bytes: number }> {
  const json = Buffer.from(JSON.stringify({ media, integrity, measures }))
  return { document: await promisify<Buffer, Buffer>(deflate)(json), bytes: json.length }
}

/** @throws where it is no document that was packed here. */
export const unpackMeasured = async (document: Buffer): Promise<Measured> =>
  JSON.parse((await promisify<Buffer, Buffer>(inflate)(document)).toString())

/** One that was used a moment ago may be about to be used again. */
const SPARED = sql`interval '1 minute'`
/** While a new version rolls out, both are in use. */
const OLDER_VERSIONS = sql`interval '7 days'`

/**
 * Removes what was measured of contents that no file keeps any more, and by code that is no longer in use. Returns behind which
 * row the next are looked at; null where these were the last.
 */
export async function removeUnusedMeasurements(tx: Tx, version: string, among: Among): Promise<string | null> {
  const [looked] = await tx.db.execute<{ seen: number; last: string | null }>(sql`
    with looked as materialized (${idsAmong(contentMeasurements, among)}),
    removed as (
      delete from content_measurements m using looked where m.id = looked.id and (
        (m.used_at < now() - ${SPARED} and not exists (select from files f where f.sha256 = m.sha256 and f.removed_at is null))
        or (m.claimed_until < now() - interval '1 hour')
        or (m.version <> ${version} and m.used_at < now() - ${OLDER_VERSIONS})))
    select count(*)::int as seen, (select id from looked order by id desc limit 1) as last from looked`)
  return looked ? nextAfter(among, looked) : null
}
