import { and, eq, lt } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { directUploads } from '@/db/schema/operations'
import type { UploadState } from '@/lib/vocabulary'
import { receiveFile } from '../files/commands'
import { BlobNotFound, type FetchedUpload } from '../kernel/blob-store'
import { DomainError } from '../kernel/errors'
import type { AnyIntake } from '../kernel/intake'
import { advancing, type Context, type Credentials, type Tx } from '../kernel/operation'
import { type Actor, unauthenticated } from '../kernel/permissions'
import { receiveFileByLink } from '../upload-links/public'
import { planOf } from './rules'

/** What a worker does with an upload whose bytes are in the storage: validates it as any other, or removes it. */

type UploadRow = typeof directUploads.$inferSelect

const INTAKES: readonly AnyIntake[] = [receiveFile, receiveFileByLink]

const HOUR_MS = 3_600_000
/** A verdict can be asked for again for so long. */
const SETTLED_HOURS = 24
/** Of expired uploads, those one run of the sweeper removes. */
const SWEPT_AT_ONCE = 500

/** Who completed an upload, and what they showed; held only until it is settled, and sealed. */
type Request = {
  userId: string | null
  params: Record<string, string>
  credentials: Credentials
  address: string | null
  requestId: string
}

export function sealed({ actor, credentials, address, requestId, ports }: Context, params: Record<string, string>) {
  const userId = actor.type === 'user' ? actor.id : null
  return ports.secrets.encrypt(JSON.stringify({ userId, params, credentials, address, requestId } satisfies Request))
}

/** One waiting job for an upload, before what no person waits for; it runs if, and only if, the transaction commits. */
export const settleLater = (tx: Tx, id: string) =>
  tx.enqueue('settle_upload', { upload_id: id }, { key: `upload ${id}`, isUrgent: true })

/**
 * Brings an upload to its verdict once its bytes are all there, and removes them. May run more than once, and at the same
 * time: there is one verdict, written in the transaction that writes the file.
 */
export async function settleUpload(ctx: Context, { upload_id }: { upload_id: string }) {
  const find = async () => (await ctx.db.select().from(directUploads).where(eq(directUploads.id, upload_id)))[0]
  const upload = await find()
  if (upload?.state === 'checking') await validate(ctx, upload)
  const settled = await find()
  if (settled && settled.state !== 'receiving' && settled.state !== 'checking') await removeBytes(ctx, settled)
}

async function validate(ctx: Context, upload: UploadRow) {
  const { direct } = ctx.ports.blobs
  if (!direct) throw new Error('An upload lies in another storage than the one in use.')
  const at = { id: upload.id, handle: upload.handle ?? '' }
  const clock = advancing(ctx)
  let fetched: FetchedUpload | undefined
  try {
    const arrival = await reopen(ctx, upload)
    // Before gigabytes are fetched for nothing.
    await arrival.expect()
    const version = await direct.assemble(at, planOf(upload))
    if (version === null) throw notAsSent('Other parts arrived than were announced.')
    fetched = await direct.fetch(at, version, (path, upTo) => arrival.arriving({ name: upload.name, path, upTo }))
    if (fetched.size !== upload.size) throw notAsSent('Another number of bytes arrived than was announced.')
    const { staged, size, sha256 } = fetched
    await arrival.receive(
      { name: upload.name, size, sha256, staged },
      {
        now: clock().now,
        beforeCommit: async (tx, result) => {
          if (!(await decide(tx, upload.id, 'accepted', result))) throw settledElsewhere()
        },
      },
    )
  } catch (error) {
    const refusal = error instanceof BlobNotFound ? notAsSent('What was sent is no longer in the storage.') : error
    // A fault of ours is no verdict: the job is tried again.
    if (!(refusal instanceof DomainError) || PASSING.includes(refusal.code)) throw error
    const { code, detail, facts } = refusal
    const violations = facts.violations ?? []
    await decide({ db: ctx.db, now: clock().now }, upload.id, 'refused', { code, detail, violations })
  } finally {
    await fetched?.staged.discard()
  }
}

const PASSING = ['rate_limited', 'unavailable']

/** The request that completed the upload, as it would be validated now. */
async function reopen(ctx: Context, upload: UploadRow) {
  const intake = INTAKES.find(({ name }) => name === upload.intake)
  if (!intake || upload.sealed === null) throw new Error(`The upload ${upload.id} was not completed.`)
  const { userId, params, ...shown }: Request = JSON.parse(ctx.ports.secrets.decrypt(upload.sealed))
  const actor = userId === null ? ctx.actor : await userActor(ctx, userId)
  // Its requests were counted when they came.
  const ports = { ...ctx.ports, limitsRates: false }
  return intake.open({ ...ctx, ...shown, actor, ports }, params)
}

/** @throws `unauthenticated` for a user who was disabled meanwhile */
async function userActor({ db }: Context, userId: string): Promise<Actor> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.disabledAt) throw unauthenticated('The account this file was sent from was disabled.')
  const { id, name, email, role } = user
  return { type: 'user', id, name, email, role, scope: 'write', via: 'session' }
}

const notAsSent = (what: string) =>
  new DomainError('file_rejected', `${what} Nothing was stored; send the file again.`, {
    violations: [{ rule: 'integrity', code: 'truncated', message: `${what} Send the file again.` }],
  })

const settledElsewhere = () =>
  new DomainError('invalid_state', 'The upload was taken back, or settled by another process.', {
    current: 'settled',
    allowed: ['checking'],
  })

/** Writes the verdict, unless the upload has one or was taken back; says whether it did. */
async function decide(
  { db, now }: Pick<Tx, 'db' | 'now'>,
  id: string,
  state: Extract<UploadState, 'accepted' | 'refused'>,
  verdict: unknown,
): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + SETTLED_HOURS * HOUR_MS)
  const written = await db
    .update(directUploads)
    .set({ state, verdict, sealed: null, expiresAt, updatedAt: now })
    .where(and(eq(directUploads.id, id), eq(directUploads.state, 'checking')))
    .returning({ id: directUploads.id })
  return written.length > 0
}

async function removeBytes({ db, ports }: Context, { id, handle, state }: UploadRow) {
  if (handle === null) return
  await ports.blobs.direct?.remove({ id, handle })
  // What was taken back may have been put together at this very moment: the sweeper checks once more.
  if (state !== 'cancelled') await db.update(directUploads).set({ handle: null }).where(eq(directUploads.id, id))
}

/** Removes uploads that have expired, with what arrived of them; says how many. Nothing is listed. */
export async function sweepDirectUploads(ctx: Context): Promise<number> {
  const expired = await ctx.db
    .select({ id: directUploads.id })
    .from(directUploads)
    .where(lt(directUploads.expiresAt, ctx.now))
    .limit(SWEPT_AT_ONCE)
  for (const { id } of expired) {
    const hasExpired = and(eq(directUploads.id, id), lt(directUploads.expiresAt, ctx.now))
    // From here on no process goes on with it.
    const [over] = await ctx.db.update(directUploads).set({ state: 'cancelled' }).where(hasExpired).returning()
    if (!over) continue
    await removeBytes(ctx, over)
    await ctx.db.delete(directUploads).where(hasExpired)
  }
  return expired.length
}
