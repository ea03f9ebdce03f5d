import { createHash } from 'node:crypto'
import type { BlobStore, StagedBlob } from '@/lib/domain/kernel/blob-store'
import { DomainError, notFound, quote } from '@/lib/domain/kernel/errors'
import { abandonBody, bodyStream } from './exchange'
import { PROBLEMS } from './problem'
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
import type { UploadLocks } from './tus-locks'
import type { UploadRecord, UploadRecords } from './tus-uploads'

const CHUNK_TYPE = 'application/offset+octet-stream'
const EXPIRY_MS = 24 * 60 * 60 * 1000
/** Longer than the verdict on a finished upload may take: who asks meanwhile gets the verdict, not "locked". */
const LOCK_WAIT_MS = 90_000

export type TusPurpose = 'create' | 'append' | 'read' | 'terminate'

/** `Call` is what the route knows of a request; `Scope` is what `authorise` makes of it, for the other two to use. */
export interface TusOptions<Call, Scope> {
  store: BlobStore
  records: UploadRecords
  locks: UploadLocks
  maxBytes: number
  /** Who asks, as a string only their own uploads carry (`owner`). Throws when they may not. Asked for every request. */
  authorise(call: Call, purpose: TusPurpose): Promise<{ owner: string; scope: Scope }>
  /** Judges what is known before any byte; throws to refuse. */
  onCreate(scope: Scope, upload: { name: string; size: number; metadata: Map<string, string> }): Promise<void>
  /**
   * Takes the whole file and answers, or throws to refuse; a refusal by the rules (see `isFinal`) discards the bytes. Called
   * again with the same `id` when no answer could be noted: after a fault, or a crash. `staged` is null if its bytes are
   * no longer there, because the call before had taken them: give that call's answer again, or throw not_found.
   */
  onFinish(
    scope: Scope,
    upload: { id: string; name: string; size: number; sha256: string | null; staged: StagedBlob | null },
  ): Promise<{ status: number; body: unknown }>
  expiryMs?: number
  lockWaitMs?: number
  windowMs?: number
  now?: () => number
}

/**
 * Resumable uploads by tus 1.0.0 under a path that ends in `/tus`: creation, creation-with-upload, expiration,
 * termination, checksum. Throws DomainErrors, as every handler does.
 *
 * The request that brings the last byte is answered with the verdict on the file: what `onFinish` returned, or its
 * problem document. Should that answer be lost, GET on the upload gives it again for as long as the upload is
 * remembered, and comes to the verdict first if it was never reached. HEAD then says that all bytes are there if the
 * file was accepted, and 410 with `Upload-Verdict: refused` if it was not, so that no client of the protocol mistakes one
 * for the other, and ours need not send the file again to hear why.
 */
export function createTusEndpoint<Call, Scope>(options: TusOptions<Call, Scope>) {
  const endpoint = new TusEndpoint(options)
  return async (request: Request, call: Call): Promise<Response> => {
    try {
      const response = await endpoint.answer(request, call)
      response.headers.set('Tus-Resumable', TUS_VERSION)
      return response
    } catch (error) {
      abandonBody(bodyStream(request))
      if (error instanceof DomainError) error.facts.headers = { ...error.facts.headers, 'Tus-Resumable': TUS_VERSION }
      throw error
    }
  }
}

/** An upload while its lock is held. */
type Held<Scope> = { record: UploadRecord; scope: Scope; wanted: AbortSignal }

class TusEndpoint<Call, Scope> {
  private readonly hashes = new RunningHashes()
  private readonly now: () => number

  constructor(private readonly options: TusOptions<Call, Scope>) {
    this.now = options.now ?? Date.now
  }

  async answer(request: Request, call: Call): Promise<Response> {
    const override = request.method === 'POST' ? request.headers.get('x-http-method-override') : null
    const method = (override ?? request.method).toUpperCase()
    if (method === 'OPTIONS') return this.describe()
    if (method !== 'GET') assertVersion(request.headers)
    const { base, id } = placeOf(request)
    if (id === null && method === 'POST') return this.create(request, call, base)
    if (id !== null && method === 'PATCH') return this.hold(call, id, 'append', (held) => this.append(request, held))
    if (id !== null && method === 'DELETE') return this.hold(call, id, 'terminate', (held) => this.terminate(held))
    if (id !== null && method === 'HEAD') return this.hold(call, id, 'read', (held) => this.showProgress(held))
    if (id !== null && method === 'GET') return this.hold(call, id, 'read', (held) => this.showVerdict(held))
    const allowed = id === null ? 'POST, OPTIONS' : 'HEAD, PATCH, DELETE, GET, OPTIONS'
    throw new DomainError('method_not_allowed', `${method} is not possible here; use ${allowed}.`, {
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
    const { owner, scope } = await this.options.authorise(call, 'create')
    const size = byteCount(request.headers, 'Upload-Length')
    if (size > this.options.maxBytes) {
      throw new DomainError('file_too_large', `The file has ${size} bytes; ${this.options.maxBytes} are accepted.`)
    }
    const header = request.headers.get('upload-metadata') ?? ''
    const metadata = parseMetadata(header)
    const name = fileName(metadata)
    await this.options.onCreate(scope, { name, size, metadata })

    const { id } = await this.options.store.stage()
    const record = { id, owner, name, size, metadata: header, expiresAt: this.expiry(), verdict: null }
    await this.options.records.save(record)
    const hasChunk = request.headers.get('content-type') === CHUNK_TYPE
    const response = await this.hold(call, id, 'append', async (held) => {
      if (hasChunk || size === 0) return this.write(request, held, 0)
      return this.progress(held.record, 0, 201)
    })
    response.headers.set('Location', `${base}/${id}`)
    return response.status === 204 ? new Response(null, { status: 201, headers: response.headers }) : response
  }

  private async append(request: Request, held: Held<Scope>): Promise<Response> {
    const contentType = request.headers.get('content-type')
    if (contentType !== CHUNK_TYPE) {
      const found = quote(contentType ?? '')
      throw new DomainError('unsupported_media_type', `The Content-Type is ${found}; a chunk has "${CHUNK_TYPE}".`)
    }
    return this.write(request, held, byteCount(request.headers, 'Upload-Offset'))
  }

  /** Writes a chunk at `offset`; answers with the progress or, when that was the last one, with the verdict. */
  private async write(request: Request, held: Held<Scope>, offset: number): Promise<Response> {
    const { record } = held
    const staged = await this.options.store.findStaged(record.id)
    if (!record.verdict && staged) {
      const present = await staged.size()
      if (offset !== present) {
        throw new DomainError(
          'upload_offset_conflict',
          `Upload-Offset is ${offset}, but the server has ${present} bytes; continue from there.`,
          { headers: { 'Upload-Offset': String(present) } },
        )
      }
      const reached = await this.receive(request, held, staged, offset)
      if (reached < record.size) return this.progress(record, reached, 204)
    }
    await this.settle(held, staged)
    return verdictAnswer(record)
  }

  private async receive(request: Request, held: Held<Scope>, staged: StagedBlob, offset: number): Promise<number> {
    const { record } = held
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
      onWritten: checksum ? undefined : (upTo) => hash?.follow(upTo),
      yieldTo: held.wanted,
      windowMs: this.options.windowMs,
    })
    const isProven = !checksum || (end === 'whole' && chunkHash?.digest().equals(checksum.digest) === true)
    if (!isProven) await truncate(staged, offset)
    this.hashes.keep(record.id, isProven ? offset + size : offset, hash)
    record.expiresAt = this.expiry()
    await this.options.records.save(record)
    if (end === 'too_long') throw tooLong(record)
    if (end === 'yielded') throw locked()
    if (end === 'cut')
      throw new DomainError('upload_offset_conflict', 'The chunk broke off; ask for the offset and go on.')
    if (!isProven) {
      throw new DomainError(
        'checksum_mismatch',
        'The chunk does not have the checksum it was sent with; send it again.',
      )
    }
    return offset + size
  }

  /** Has the file judged, once, and notes what came of it. Throws what is no verdict: then nothing is noted. */
  private async settle({ record, scope }: Held<Scope>, staged: StagedBlob | null): Promise<void> {
    if (record.verdict) return
    const { id, name, size } = record
    const sha256 = staged && (await this.hashes.digest(staged, size))
    try {
      const { status, body } = await this.options.onFinish(scope, { id, name, size, sha256, staged })
      record.verdict = { accepted: true, status, body }
    } catch (error) {
      if (!(error instanceof DomainError) || !isFinal(error)) throw error
      const { violations, errors } = error.facts
      record.verdict = { accepted: false, code: error.code, detail: error.detail, violations, errors }
    }
    record.expiresAt = this.expiry()
    await this.options.records.save(record)
    await staged?.discard()
  }

  private async showProgress(held: Held<Scope>): Promise<Response> {
    const offset = await this.settleIfWhole(held)
    if (held.record.verdict?.accepted === false)
      throw gone('The file was refused; GET on this address says why.', { 'Upload-Verdict': 'refused' })
    const response = this.progress(held.record, offset, 200)
    response.headers.set('Upload-Length', String(held.record.size))
    if (held.record.metadata !== '') response.headers.set('Upload-Metadata', held.record.metadata)
    return response
  }

  private async showVerdict(held: Held<Scope>): Promise<Response> {
    const offset = await this.settleIfWhole(held)
    if (held.record.verdict) return verdictAnswer(held.record)
    const { name, size, expiresAt } = held.record
    return Response.json({ name, size, offset, expires_at: new Date(expiresAt).toISOString() })
  }

  private async settleIfWhole(held: Held<Scope>): Promise<number> {
    const { record } = held
    if (record.verdict) return record.size
    const staged = await this.options.store.findStaged(record.id)
    const offset = staged ? await staged.size() : record.size
    if (offset === record.size) await this.settle(held, staged)
    return offset
  }

  private async terminate({ record }: Held<Scope>): Promise<Response> {
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
    await (await this.options.store.findStaged(id))?.discard()
    await this.options.records.delete(id)
  }

  /** Runs `use` while no other request can touch the upload. */
  private async hold<T>(
    call: Call,
    id: string,
    purpose: TusPurpose,
    use: (held: Held<Scope>) => Promise<T>,
  ): Promise<T> {
    const { owner, scope } = await this.options.authorise(call, purpose)
    const isOurs = (record: UploadRecord | null) => record?.owner === owner
    if (!isOurs(await this.options.records.find(id))) throw notFound('upload')
    const wanted = new AbortController()
    const release = await this.options.locks.acquire(id, () => wanted.abort(), this.options.lockWaitMs ?? LOCK_WAIT_MS)
    if (!release) throw locked()
    try {
      const record = await this.options.records.find(id)
      if (!record) throw notFound('upload')
      if (record.expiresAt <= this.now()) {
        await this.remove(id)
        throw gone('The upload was left unfinished for too long; start it again.')
      }
      return await use({ record, scope, wanted: wanted.signal })
    } finally {
      await release()
    }
  }

  private progress(record: UploadRecord, offset: number, status: number): Response {
    const headers = {
      'Upload-Offset': String(offset),
      'Upload-Expires': new Date(record.expiresAt).toUTCString(),
      'Cache-Control': 'no-store',
    }
    return new Response(null, { status, headers })
  }

  private expiry(): number {
    return this.now() + (this.options.expiryMs ?? EXPIRY_MS)
  }
}

/** The path of the collection and, when there is one more segment, the id of an upload in it. */
function placeOf(request: Request): { base: string; id: string | null } {
  const match = /^(.*\/tus)(?:\/([0-9a-f-]{36}))?\/?$/.exec(new URL(request.url).pathname)
  if (!match?.[1]) throw notFound('upload')
  return { base: match[1], id: match[2] ?? null }
}

/** A refusal that sending the same bytes again cannot change; a fault of ours or a lost session is none. */
function isFinal(error: DomainError): boolean {
  return (
    [404, 409, 410, 413, 415, 422].includes(PROBLEMS[error.code].status) && error.code !== 'idempotency_in_progress'
  )
}

function verdictAnswer({ verdict, size }: UploadRecord): Response {
  if (!verdict) throw new Error('An upload without a verdict was to answer with it.')
  const headers = { 'Upload-Offset': String(size), 'Cache-Control': 'no-store' }
  if (verdict.accepted) return Response.json(verdict.body, { status: verdict.status, headers })
  const { code, detail, violations, errors } = verdict
  throw new DomainError(code, detail, { violations, errors, headers })
}

async function truncate(staged: StagedBlob, size: number): Promise<void> {
  const sink = await staged.writable({ from: size })
  await new Promise<void>((done, fail) => sink.on('error', fail).end(done))
}

function gone(detail: string, headers?: Record<string, string>): DomainError {
  return new DomainError('upload_gone', detail, { headers })
}

function locked(): DomainError {
  return new DomainError('upload_locked', 'Another request took this upload over; ask for its offset and go on.')
}

function tooLong(record: UploadRecord): DomainError {
  return new DomainError('body_too_large', `The chunk goes beyond the ${record.size} bytes given as Upload-Length.`)
}
