import { and, count, eq, gt, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { newId } from '@/db/schema/columns'
import { directUploads } from '@/db/schema/operations'
import type { UploadState } from '@/lib/vocabulary'
import { onBatch } from '../batches/find'
import { receiveFile } from '../files/commands'
import { ADDRESS_SECONDS, BlobNotFound, type DirectUploads, type UploadPart } from '../kernel/blob-store'
import { DomainError, invalid, invalidField, invalidState, notFound } from '../kernel/errors'
import type { Intake } from '../kernel/intake'
import { type Context, command, type Finder, query, type Tx } from '../kernel/operation'
import type { Actor } from '../kernel/permissions'
import { findRow } from '../kernel/rows'
import { iso } from '../kernel/shapes'
import { authenticateLink, byToken } from '../upload-links/find'
import { receiveFileByLink } from '../upload-links/public'
import { ownerOf, partProblems, partSizeOf, planOf } from './rules'
import { BeginUpload, begunUploadShape, directUploadShape, SignedParts, SignParts } from './schema'
import { sealed, settleLater } from './settle'

/**
 * Uploads whose bytes go from the client to the storage itself (docs/storage.md). Whether a file may come is asked when
 * the upload is begun, whenever parts are signed, and when it is completed; a worker then validates what arrived.
 */

type UploadRow = typeof directUploads.$inferSelect

const HOUR_MS = 3_600_000
/** Since parts were last asked for. */
const RECEIVING_HOURS = 24
/** A file whose bytes are all there waits for a worker, however long none runs. */
const CHECKING_HOURS = 7 * 24
/** What was taken back is removed once more after this, for a process that was about to put it together. */
const CANCELLED_HOURS = 1
/** Parts that are signed together: enough to keep a client busy, few enough to be sent before the addresses expire. */
const SIGNED_AT_ONCE = 8
/** Open uploads of one link or one user in one batch. */
const MOST_OPEN = 1000

const later = (now: Date, hours: number) => new Date(now.getTime() + hours * HOUR_MS)

/** What is found with the parameters of the path, by which the intake is opened. */
type Place<P extends string> = { params: Record<P, string> }
type Found<P extends string> = Place<P> & { upload: UploadRow }

function inPlace<P extends string, S>(finder: Finder<P, S>): Finder<P, Place<P>> {
  return {
    params: finder.params,
    // Nothing of the place is changed before the file is stored.
    async find(tx, params) {
      await finder.find(tx, params, false)
      return { params }
    },
  }
}

/** An upload of this actor to this place. What was taken back or has expired is not there. */
function onUpload<P extends string, S>(finder: Finder<P, S>): Finder<P | 'upload_id', Found<P>> {
  return {
    params: [...finder.params, 'upload_id'],
    async find(tx, { upload_id, ...rest }, lock) {
      const params = rest as unknown as Record<P, string>
      await finder.find(tx, params, false)
      const isTheirs = and(
        eq(directUploads.owner, ownerOf(tx.actor, params)),
        ne(directUploads.state, 'cancelled'),
        gt(directUploads.expiresAt, tx.now),
      )
      return { params, upload: await findRow(tx, directUploads, 'upload', upload_id, lock, isTheirs) }
    },
  }
}

function operationsFor<P extends string, S, A>(by: {
  intake: Intake<P, S, A>
  resource: Finder<P, S>
  /** For paths that carry their own right. */
  authenticateAs?: (ctx: Context, params: Record<P, string>) => Promise<Actor>
  path: (params: Record<P, string>) => string
  /** How the names of the operations and of their shapes end. */
  suffix: string
}) {
  const { intake, suffix } = by
  const Upload = directUploadShape(intake.output, `DirectUpload${suffix}`)
  const Begun = begunUploadShape(intake.output, `DirectUpload${suffix}`)
  const begins = { permission: intake.permission, resource: inPlace(by.resource), authenticateAs: by.authenticateAs }
  const goesOn = {
    permission: intake.permission,
    resource: onUpload(by.resource),
    // What was begun is served while the link may be read at all.
    authenticateAs:
      by.authenticateAs &&
      (async (ctx: Context, params: Record<P | 'upload_id', string>) => {
        const arrival = await intake.open(ctx, params)
        await arrival.assertReadable()
        return arrival.ctx.actor
      }),
  }
  const present = (row: UploadRow) => presentUpload(row) as z.infer<typeof Upload>

  /** Whether a file may come here at this moment. */
  const open = async (ctx: Context, params: Record<P, string>) => {
    const arrival = await intake.open(ctx, params)
    await arrival.expect()
    return arrival
  }

  return {
    begin: command({
      ...begins,
      name: `beginUpload${suffix}`,
      summary:
        'Begin an upload that goes to the storage itself, validated by name and size; 409 where files only come through the service',
      input: BeginUpload,
      output: Begun,
      created: ({ id }, params) => `${by.path(params)}/${id}`,
      async prepare(ctx, { resource: { params }, input }) {
        const arrival = await open(ctx, params)
        const direct = directIn(ctx)
        await arrival.validateName(input)
        await assertFewOpen(ctx, ownerOf(ctx.actor, params))
        const id = newId(ctx.now)
        const handle = await direct.begin(id)
        const partSize = partSizeOf(input.size)
        const next = planOf({ size: input.size, partSize }).slice(0, SIGNED_AT_ONCE)
        return { id, handle, partSize, signed: await sign(ctx, direct, { id, handle }, next) }
      },
      async run(tx, { resource: { params }, input, prepared: { signed, ...fixed } }) {
        const [row] = await tx.db
          .insert(directUploads)
          .values({
            ...fixed,
            ...input,
            intake: intake.name,
            owner: ownerOf(tx.actor, params),
            state: 'receiving',
            expiresAt: later(tx.now, RECEIVING_HOURS),
            createdAt: tx.now,
            updatedAt: tx.now,
          })
          .returning()
        if (!row) throw new Error('An upload that was begun did not come back.')
        return { ...present(row), ...signed }
      },
    }),

    get: query({
      ...goesOn,
      name: `getUpload${suffix}`,
      summary: 'How far an upload to the storage is, and the verdict on its file',
      isVersioned: true,
      output: Upload,
      run: async (_tx, { resource }) => present(resource.upload),
    }),

    sign: command({
      ...goesOn,
      name: `signUploadParts${suffix}`,
      summary: 'Addresses for the next parts of an upload, and which parts have arrived: to go on, after a break too',
      input: SignParts,
      output: SignedParts,
      async prepare(ctx, { resource: { params, upload: row }, input }): Promise<SignedParts> {
        await open(ctx, params)
        const at = receiving(row)
        const direct = directIn(ctx)
        const plan = planOf(row)
        const arrived = await partsOf(direct, at)
        const there = arrived.filter(({ number, size }) => plan[number - 1]?.size === size).map(({ number }) => number)
        const wanted = input.parts
          ? input.parts.map((number) => plan[number - 1] ?? noSuchPart(number, plan.length))
          : plan.filter(({ number }) => !there.includes(number)).slice(0, SIGNED_AT_ONCE)
        return { received: there, ...(await sign(ctx, direct, at, wanted)) }
      },
      async run(tx, { resource: { upload: row }, prepared }) {
        receiving(row)
        await change(tx, row, { expiresAt: later(tx.now, RECEIVING_HOURS) })
        return prepared
      },
    }),

    complete: command({
      ...goesOn,
      name: `completeUpload${suffix}`,
      summary: 'All parts are sent: have the file validated. Again: how far that is',
      output: Upload,
      async prepare(ctx, { resource: { params, upload: row } }) {
        if (row.state !== 'receiving') return null
        await open(ctx, params)
        const problems = partProblems(planOf(row), await partsOf(directIn(ctx), receiving(row)))
        if (problems.length > 0) throw invalid(problems.slice(0, 20))
        return sealed(ctx, params)
      },
      async run(tx, { resource: { upload: row }, prepared }) {
        if (row.state !== 'receiving' || prepared === null) return present(row)
        const expiresAt = later(tx.now, CHECKING_HOURS)
        const checking = await change(tx, row, { state: 'checking', sealed: prepared, expiresAt })
        await settleLater(tx, row.id)
        return present(checking)
      },
    }),

    cancel: command({
      ...goesOn,
      name: `cancelUpload${suffix}`,
      summary: 'Take an upload back: nothing of it stays. 409 once its file was accepted',
      async run(tx, { resource: { upload: row } }) {
        if (row.state === 'accepted')
          throw invalidState('The file was accepted already, so its upload cannot be taken back.', 'accepted', [
            'receiving',
            'checking',
            'refused',
          ])
        await change(tx, row, { state: 'cancelled', sealed: null, expiresAt: later(tx.now, CANCELLED_HOURS) })
        await settleLater(tx, row.id)
      },
    }),
  }
}

export const byStaff = operationsFor({
  intake: receiveFile,
  resource: onBatch,
  path: ({ project_id, batch_id }) => `/api/projects/${project_id}/batches/${batch_id}/uploads`,
  suffix: '',
})

export const byLink = operationsFor({
  intake: receiveFileByLink,
  resource: byToken,
  authenticateAs: authenticateLink,
  path: ({ token }) => `/api/public/upload-links/${token}/uploads`,
  suffix: 'ByLink',
})

function directIn({ ports }: Context): DirectUploads {
  if (ports.files.takesDirectUploads && ports.blobs.direct) return ports.blobs.direct
  throw invalidState(
    'Here files come through the service: send this one to …/files, or to …/tus as a resumable upload.',
    'server',
    ['direct'],
  )
}

async function assertFewOpen({ db }: Context, owner: string) {
  const isOpen = and(eq(directUploads.owner, owner), eq(directUploads.state, 'receiving'))
  const [open] = await db.select({ uploads: count() }).from(directUploads).where(isOpen)
  if ((open?.uploads ?? 0) < MOST_OPEN) return
  throw new DomainError(
    'rate_limited',
    `${MOST_OPEN} uploads are open already. Complete some or take them back, then begin others.`,
    { retryAfter: 60 },
  )
}

async function sign(ctx: Context, direct: DirectUploads, upload: { id: string; handle: string }, parts: UploadPart[]) {
  const urls = await direct.sign(upload, parts)
  return {
    parts: parts.map((part, index) => ({ ...part, url: urls[index] ?? '' })),
    urls_expire_at: iso(new Date(ctx.now.getTime() + ADDRESS_SECONDS * 1000)),
  }
}

/** @throws `invalid_state` when the upload takes no more parts */
function receiving({ id, handle, state }: UploadRow): { id: string; handle: string } {
  if (state === 'receiving' && handle !== null) return { id, handle }
  throw invalidState('All parts of this upload are there already; ask for its verdict.', state, ['receiving'])
}

/** @throws `not_found` when the storage has dropped the upload */
function partsOf(direct: DirectUploads, upload: { id: string; handle: string }) {
  return direct.parts(upload).catch((error: unknown) => {
    throw error instanceof BlobNotFound ? notFound('upload', upload.id) : error
  })
}

const noSuchPart = (number: number, parts: number): never => {
  throw invalidField('parts', 'no_such_part', `The file has no part ${number}; its parts are 1 to ${parts}.`)
}

async function change(tx: Tx, { id }: UploadRow, values: Partial<UploadRow> & { state?: UploadState }) {
  const [row] = await tx.db
    .update(directUploads)
    .set({ ...values, updatedAt: tx.now })
    .where(eq(directUploads.id, id))
    .returning()
  if (!row) throw new Error('An upload that was locked was gone.')
  return row
}

function presentUpload(row: UploadRow) {
  return {
    id: row.id,
    name: row.name,
    size: row.size,
    part_size: row.partSize,
    status: row.state,
    result: row.state === 'accepted' ? row.verdict : null,
    refusal: row.state === 'refused' ? row.verdict : null,
    expires_at: iso(row.expiresAt),
    created_at: iso(row.createdAt),
    updated_at: iso(row.updatedAt),
  }
}
