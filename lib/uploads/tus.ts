import { createHash, randomUUID } from 'node:crypto'
import type { Executor } from '@/db/client'
import type { BlobStore, ResumableBlob, StagedBlob } from '@/lib/domain/kernel/blob-store'
import { DomainError, notFound, quote } from '@/lib/domain/kernel/errors'
import { abandonBody, bodyStream } from '@/lib/http/exchange'
import { type AnyRefusal, HttpError, isRefusal, withHeaders } from '@/lib/http/http-error'
import { PROBLEMS } from '@/lib/http/problem'
import { RunningHashes, receiveChunk } from './tus-chunk'
import {
  assertVersion,
  byteCount,
  fileName,
  parseChecksum,
  parseMetadata,
  TUS_CHECKSUM_ALGORITHMS,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from './tus-headers'
import type { UploadLock, UploadOutcome, UploadRecord, UploadRecords } from './upload-records'

const CHUNK_TYPE = 'application/offset+octet-stream'
const EXPIRY_MS = 24 * 60 * 60 * 1000
/** Longer than the verdict on a finished upload may take: who asks meanwhile gets the verdict, not "locked". */
const LOCK_WAIT_MS = 90_000

type TusPurpose = 'create' | 'append' | 'read' | 'terminate'

/** Writes the verdict that accepts an upload, in the transaction that writes its file; throws when there is one already. */
type NoteOutcome = (executor: Executor, response: { status: number; body: unknown }) => Promise<void>

/** `Call` is what the route knows of a request; `Scope` is what `authorise` makes of it, for the other two to use. */
export interface TusOptions<Call, Scope> {
  store: BlobStore
  records: UploadRecords
  maxBytes: number
  /**
   * Who asks, as a string only their own uploads carry (`owner`). Throws when they may not. Asked for every request.
   * `closed`: why nothing may be sent at this moment, although what was sent may be asked for.
   */
  authorise(call: Call, purpose: TusPurpose): Promise<{ owner: string; scope: Scope; closed?: AnyRefusal | null }>
  /** Validates what is known before any byte; throws to refuse. */
  onCreate(scope: Scope, upload: { name: string; size: number; metadata: Map<string, string> }): Promise<void>
  /**
   * Stores the whole file and notes its response by `note` in the same transaction, or throws to refuse. Called again when
   * no verdict was noted: after a fault, or a crash. It leaves the staged bytes alone; they are discarded once there is a
   * verdict.
   */
  onFinish(
    scope: Scope,
    upload: { id: string; name: string; size: number; sha256: string; staged: StagedBlob },
    note: NoteOutcome,
  ): Promise<void>
  /** Hears that the bytes before `upTo` are at `path`, of an upload whose bytes all came to this process. */
  onWritten?(scope: Scope, upload: { name: string; path: string; upTo: number }): void
  expiryMs?: number
  lockWaitMs?: number
  windowMs?: number
  now?: () => number
}

/**
 * Resumable uploads by tus 1.0.0 under a path that ends in `/tus`: creation, creation-with-upload, expiration,
 * termination, checksum. Throws refusals, as every handler does.
 *
 * The request that brings the last byte gets the verdict on the file: what `onFinish` noted, or its
 * problem document. It is written once and never replaced. Should that response be lost, GET on the upload gives it again for as long as the upload is
 * remembered, and comes to the verdict first if it was never reached. HEAD then says that all bytes are there if the
 * file was accepted, and 410 with `Upload-Verdict: refused` if it was not, so that no client of the protocol mistakes one
 * for the other, and ours need not send the file again to hear why.
 */
export function createTusEndpoint<Call, Scope>(options: TusOptions<Call, Scope>) {
  const endpoint = new TusEndpoint(options)
  return async (request: Request, call: Call): Promise<Response> => {
    try {
      const response = await endpoint.respond(request, call)
      response.headers.set('Tus-Resumable', TUS_VERSION)
      return response
    } catch (error) {
      abandonBody(bodyStream(request))
      throw isRefusal(error) ? withHeaders(error, { 'Tus-Resumable': TUS_VERSION }) : error
    }
  }
}

/** An upload that no other request works on meanwhile. */
type LockedUpload<Scope> = Pick<UploadLock, 'record' | 'wanted'> & { scope: Scope }

type Caller<Scope> = Awaited<ReturnType<TusOptions<never, Scope>['authorise']>>

class TusEndpoint<Call, Scope> {
  private readonly hashes = new RunningHashes()
  private readonly now: () => number

  constructor(private readonly options: TusOptions<Call, Scope>) {
    this.now = options.now ?? Date.now
  }

  async respond(request: Request, call: Call): Promise<Response> {
    const override = request.method === 'POST' ? request.headers.get('x-http-method-override') : null
    const method = (override ?? request.method).toUpperCase()
    if (method === 'OPTIONS') return this.describe()
    if (method !== 'GET') assertVersion(request.headers)
    const { base, id } = placeOf(request)
    if (id === null && method === 'POST') return this.create(request, call, base)
    if (id !== null && method === 'PATCH')
      return this.work(call, id, 'append', (upload) => this.append(request, upload))
    if (id !== null && method === 'DELETE') return this.work(call, id, 'terminate', (upload) => this.terminate(upload))
    if (id !== null && method === 'HEAD') return this.work(call, id, 'read', (upload) => this.showProgress(upload))
    if (id !== null && method === 'GET') return this.work(call, id, 'read', (upload) => this.showOutcome(upload))
    const allowed = id === null ? 'POST, OPTIONS' : 'HEAD, PATCH, DELETE, GET, OPTIONS'
    throw new HttpError('method_not_allowed', `${method} is not possible here; use ${allowed}.`, {
      headers: { Allow: allowed },
    })
  }

  private describe(): Response {
    const headers = {
      'Tus-Version': TUS_VERSION,
      'Tus-Extension': TUS_EXTENSIONS,
      'Tus-Max-Size': String(this.options.maxBytes),
      'Tus-Checksum-Algorithm': TUS_CHECKSUM_ALGORITHMS,
    }
    return new Response(null, { status: 204, headers })
  }

  private async create(request: Request, call: Call, base: string): Promise<Response> {
    const caller = await this.options.authorise(call, 'create')
    if (caller.closed) throw caller.closed
    const size = byteCount(request.headers, 'Upload-Length')
    if (size > this.options.maxBytes) {
      throw new HttpError('file_too_large', `The file has ${size} bytes; ${this.options.maxBytes} are accepted.`)
    }
    const header = request.headers.get('upload-metadata') ?? ''
    const metadata = parseMetadata(header)
    const name = fileName(metadata)
    await this.options.onCreate(caller.scope, { name, size, metadata })

    const id = randomUUID()
    const made = { id, owner: caller.owner, size, metadata: header, expiresAt: this.expiry() }
    const record = await this.options.records.create(made)
    const hasChunk = request.headers.get('content-type') === CHUNK_TYPE
    const response =
      hasChunk || size === 0
        ? await this.lock(caller, id, (upload) => this.write(request, upload, 0))
        : this.progress(record, 0, 201)
    response.headers.set('Location', `${base}/${id}`)
    return response.status === 204 ? new Response(null, { status: 201, headers: response.headers }) : response
  }

  private async append(request: Request, upload: LockedUpload<Scope>): Promise<Response> {
    const contentType = request.headers.get('content-type')
    if (contentType !== CHUNK_TYPE) {
      const found = quote(contentType ?? '')
      throw new HttpError('unsupported_media_type', `The Content-Type is ${found}; a chunk has "${CHUNK_TYPE}".`)
    }
    return this.write(request, upload, byteCount(request.headers, 'Upload-Offset'))
  }

  /** Writes a chunk at `offset`; responds with the progress or, when that was the last one, with the verdict. */
  private async write(request: Request, upload: LockedUpload<Scope>, offset: number): Promise<Response> {
    const { record } = upload
    if (record.verdict) return outcomeResponse(record)
    const staged = await this.options.store.resume(record.id)
    const present = await staged.size()
    if (offset !== present) {
      throw new HttpError(
        'upload_offset_conflict',
        `Upload-Offset is ${offset}, but the server has ${present} bytes; continue from there.`,
        { headers: { 'Upload-Offset': String(present) } },
      )
    }
    const reached = await this.receive(request, upload, staged, offset)
    if (reached < record.size) return this.progress(record, reached, 204)
    await this.settle(upload, staged)
    return outcomeResponse(record)
  }

  private async receive(
    request: Request,
    upload: LockedUpload<Scope>,
    staged: ResumableBlob,
    offset: number,
  ): Promise<number> {
    const { record } = upload
    const limit = record.size - offset
    const checksum = parseChecksum(request.headers)
    if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLong(record)

    const hash = this.hashes.resume(staged, offset)
    const chunkHash = checksum && createHash(checksum.algorithm)
    const { size, end } = await receiveChunk(bodyStream(request), staged, {
      from: offset,
      limit,
      hash: chunkHash,
      // A chunk that has to be proven first may yet be taken back.
      onWritten: checksum
        ? undefined
        : (upTo) => {
            hash?.follow(upTo)
            staged.written(upTo)
            if (hash) this.options.onWritten?.(upload.scope, { name: nameOf(record), path: staged.path, upTo })
          },
      yieldTo: upload.wanted,
      windowMs: this.options.windowMs,
    }).catch((error: unknown) => {
      hash?.forget()
      throw error
    })
    const isProven = !checksum || (end === 'whole' && chunkHash?.digest().equals(checksum.digest) === true)
    if (!isProven) await truncate(staged, offset)
    const reached = isProven ? offset + size : offset
    await staged.publish(reached).catch((error: unknown) => {
      hash?.forget()
      throw error
    })
    record.received = reached
    record.expiresAt = this.expiry()
    this.hashes.store(record.id, reached, hash)
    if (end === 'too_long') throw tooLong(record)
    if (end === 'yielded') throw busy()
    if (end === 'cut')
      throw new HttpError('upload_offset_conflict', 'The chunk broke off; ask for the offset and go on.')
    if (!isProven) {
      throw new HttpError('checksum_mismatch', 'The chunk does not have the checksum it was sent with; send it again.')
    }
    return offset + size
  }

  /** Has the file validated, once, and writes down what came of it. Throws what is no verdict: then nothing is written. */
  private async settle({ record, scope }: LockedUpload<Scope>, staged: ResumableBlob): Promise<void> {
    const { records, onFinish } = this.options
    const { id, size } = record
    await staged.collect()
    const sha256 = await this.hashes.digest(staged, size)
    record.received = size
    record.expiresAt = this.expiry()
    try {
      await onFinish(scope, { id, name: nameOf(record), size, sha256, staged }, async (executor, response) => {
        const accepted = { accepted: true, ...response } as const
        if (!(await records.decide(executor, id, accepted, record.expiresAt))) throw busy()
        record.verdict = accepted
      })
      if (!record.verdict) throw new Error('An upload was stored without a verdict.')
    } catch (error) {
      record.verdict = await this.outcomeAfter(error, record)
    }
    // The verdict stands; what cannot be removed now is swept later.
    await staged.discard().catch(() => {})
  }

  /** The verdict a failed attempt leaves: its own refusal, or what another request decided meanwhile. */
  private async outcomeAfter(error: unknown, { id, expiresAt }: UploadRecord): Promise<UploadOutcome> {
    const { records } = this.options
    let verdict: UploadOutcome | null
    if (isRefusal(error) && isFinal(error)) {
      const { violations, errors } = error.facts
      const refusal = { accepted: false, code: error.code, detail: error.detail, violations, errors } as const
      verdict = await records.refuse(id, refusal, expiresAt)
    } else {
      verdict = await records.outcomeOf(id).catch(() => null)
    }
    if (!verdict) throw error
    return verdict
  }

  private async showProgress(upload: LockedUpload<Scope>): Promise<Response> {
    const offset = await this.settleIfWhole(upload)
    if (upload.record.verdict?.accepted === false)
      throw gone('The file was refused; GET on this address says why.', { 'Upload-Verdict': 'refused' })
    const response = this.progress(upload.record, offset, 200)
    response.headers.set('Upload-Length', String(upload.record.size))
    if (upload.record.metadata !== '') response.headers.set('Upload-Metadata', upload.record.metadata)
    return response
  }

  private async showOutcome(upload: LockedUpload<Scope>): Promise<Response> {
    const offset = await this.settleIfWhole(upload)
    if (upload.record.verdict) return outcomeResponse(upload.record)
    const { size, expiresAt } = upload.record
    return Response.json({ name: nameOf(upload.record), size, offset, expires_at: expiresAt.toISOString() })
  }

  private async settleIfWhole(upload: LockedUpload<Scope>): Promise<number> {
    const { record } = upload
    if (record.verdict) return record.size
    const staged = await this.options.store.resume(record.id)
    const offset = await staged.size()
    if (offset === record.size) await this.settle(upload, staged)
    return offset
  }

  private async terminate({ record }: LockedUpload<Scope>): Promise<Response> {
    if (record.verdict?.accepted) {
      throw new DomainError('invalid_state', 'The file was accepted already, so its upload cannot be taken back.', {
        current: 'accepted',
        allowed: ['uploading', 'refused'],
      })
    }
    await this.remove(record.id)
    return new Response(null, { status: 204 })
  }

  private async remove(id: string): Promise<void> {
    this.hashes.forget(id)
    await (await this.options.store.resume(id)).discard()
    await this.options.records.delete(id)
  }

  private async work(
    call: Call,
    id: string,
    purpose: Exclude<TusPurpose, 'create'>,
    use: (upload: LockedUpload<Scope>) => Promise<Response>,
  ): Promise<Response> {
    const caller = await this.options.authorise(call, purpose)
    return this.lock(caller, id, async (upload) => {
      if (caller.closed && purpose === 'append' && !upload.record.verdict) throw caller.closed
      return use(upload)
    })
  }

  /** Runs `use` while no other request can touch the upload. */
  private async lock(
    { owner, scope }: Caller<Scope>,
    id: string,
    use: (upload: LockedUpload<Scope>) => Promise<Response>,
  ): Promise<Response> {
    const locked = await this.options.records.lock(id, owner, this.options.lockWaitMs ?? LOCK_WAIT_MS)
    if (locked === undefined) throw notFound('upload')
    if (locked === null) throw busy()
    const { record, wanted, release } = locked
    try {
      if (record.expiresAt.getTime() <= this.now()) {
        await this.remove(id)
        throw gone('The upload was left unfinished for too long; start it again.')
      }
      return await use({ record, scope, wanted })
    } finally {
      await release()
    }
  }

  private progress(record: UploadRecord, offset: number, status: number): Response {
    const headers = {
      'Upload-Offset': String(offset),
      'Upload-Expires': record.expiresAt.toUTCString(),
      'Cache-Control': 'no-store',
    }
    return new Response(null, { status, headers })
  }

  private expiry(): Date {
    return new Date(this.now() + (this.options.expiryMs ?? EXPIRY_MS))
  }
}

/** The path of the collection and, when there is one more segment, the id of an upload in it. */
function placeOf(request: Request): { base: string; id: string | null } {
  const match = /^(.*\/tus)(?:\/([0-9a-f-]{36}))?\/?$/.exec(new URL(request.url).pathname)
  if (!match?.[1]) throw notFound('upload')
  return { base: match[1], id: match[2] ?? null }
}

/** A refusal that sending the same bytes again cannot change; a fault of ours or a lost session is none. */
function isFinal(error: AnyRefusal): boolean {
  return (
    [404, 409, 410, 413, 415, 422].includes(PROBLEMS[error.code].status) && error.code !== 'idempotency_in_progress'
  )
}

const nameOf = ({ metadata }: UploadRecord) => fileName(parseMetadata(metadata))

function outcomeResponse({ verdict, size }: UploadRecord): Response {
  if (!verdict) throw new Error('An upload without a verdict was to respond with it.')
  const headers = { 'Upload-Offset': String(size), 'Cache-Control': 'no-store' }
  if (verdict.accepted) return Response.json(verdict.body, { status: verdict.status, headers })
  const { code, detail, violations, errors } = verdict
  throw new HttpError(code, detail, { violations, errors, headers })
}

async function truncate(staged: StagedBlob, size: number): Promise<void> {
  const sink = await staged.writable({ from: size })
  await new Promise<void>((done, fail) => sink.on('error', fail).end(done))
}

function gone(detail: string, headers?: Record<string, string>): HttpError {
  return new HttpError('upload_gone', detail, { headers })
}

function busy(): HttpError {
  return new HttpError('upload_locked', 'Another request took this upload over; ask for its offset and go on.')
}

function tooLong(record: UploadRecord): HttpError {
  return new HttpError('body_too_large', `The chunk goes beyond the ${record.size} bytes given as Upload-Length.`)
}
