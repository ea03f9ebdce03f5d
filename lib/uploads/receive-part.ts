import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileHash } from '@/lib/adapters/blob-store/file-hash'
import type { StagedBlob } from '@/lib/domain/kernel/blob-store'
import { quote } from '@/lib/domain/kernel/errors'
import { abandonBody, bodyStream, watchPace } from '@/lib/http/exchange'
import { HttpError, isRefusal } from '@/lib/http/http-error'
import { releaseBuffers } from '@/lib/http/release-buffers'
import { invalid, MultipartForm } from './multipart-form'

export interface ReceivedPart {
  /** As the client gave it, path and all: the naming rules validate it. */
  name: string
  /** Bytes received. */
  size: number
  /** Lower-case hex. */
  sha256: string
  /** The caller commits or discards it. */
  staged: StagedBlob
}

export interface ReceiveOptions {
  stage: () => Promise<StagedBlob>
  maxBytes: number
  /** Hears the name before the first byte is stored; what it throws ends the upload and is thrown on. */
  onName?: (name: string) => Promise<void> | void
  /** Hears how far the file is written while it comes in. */
  onWritten?: (staged: StagedBlob, name: string, upTo: number) => void
  /** See watchPace. */
  windowMs?: number
}

/** The name of the one part a form must have. */
const PART = 'file'
/** Room for the boundary lines and the headers around the file. */
const ENVELOPE_BYTES = 64 * 1024

/**
 * Reads a multipart/form-data body (RFC 7578) holding exactly one part, the file named `file`, into a staged blob:
 * streamed in constant memory, hashed on the way, with the name heard before the bytes are stored. Nothing stays staged
 * when it throws: `invalid_multipart`, `unsupported_media_type`, `file_too_large`, StorageUnavailable, or what `onName`
 * threw. The rest of a refused body is read and thrown away meanwhile, so that the client gets to see the response.
 */
export async function receivePart(request: Request, options: ReceiveOptions): Promise<ReceivedPart> {
  const body = bodyStream(request)
  try {
    return await readForm(body, request.headers, options)
  } catch (error) {
    abandonBody(body)
    throw error
  }
}

/** All that happens while one form is read, settled once: by the whole file or by the first fault. */
function readForm(body: Readable, headers: Headers, options: ReceiveOptions): Promise<ReceivedPart> {
  const declaredBytes = headers.get('content-length')
  return new Promise((resolve, reject) => {
    if (Number(declaredBytes ?? 0) > options.maxBytes + ENVELOPE_BYTES) throw tooLarge(options.maxBytes)
    let file: Promise<ReceivedPart> | null = null
    let failed = false
    const form = new MultipartForm(headers.get('content-type') ?? '', {
      onPart(part, name, content) {
        content.on('error', () => {}) // it may break while the name is validated; readFile reports it
        if (name === null || part !== PART || file !== null) return fail(partFault(part, file !== null))
        file = readFile(name, content, Number(declaredBytes ?? 0), options)
        file.catch(fail)
      },
      onFault: (error) => fail(error),
      onEnd() {
        if (failed) return
        if (file === null) return fail(invalid(`The form has no file; send it in a part named "${PART}".`))
        const received = String(pace.received())
        if (declaredBytes !== null && declaredBytes !== received) {
          return fail(
            invalid(`The Content-Length says ${declaredBytes} bytes, but ${received} arrived; send it again.`),
          )
        }
        pace.stop()
        file.then(resolve, fail)
      },
    })
    const pace = watchPace(body, () => fail(invalid('The upload stalled; send it again.')), options.windowMs)
    const fail = (error: unknown) => {
      if (failed) return
      failed = true
      pace.stop()
      body.unpipe(form)
      form.destroy()
      const discarded = file?.then(({ staged }) => staged.discard()) ?? Promise.resolve()
      discarded.catch(() => {}).finally(() => reject(error))
    }
    const broken = () => {
      if (!body.readableEnded) fail(invalid('The connection broke before the whole file had arrived; send it again.'))
    }
    body.on('error', broken)
    body.on('close', broken)
    body.pipe(form)
  })
}

async function readFile(
  name: string,
  content: Readable,
  expected: number,
  options: ReceiveOptions,
): Promise<ReceivedPart> {
  await options.onName?.(name)
  const staged = await options.stage()
  const hash = new FileHash(staged.path)
  try {
    const sink = await staged.writable({
      expected,
      onWritten: (upTo) => {
        hash.follow(upTo)
        options.onWritten?.(staged, name, upTo)
      },
    })
    let size = 0
    content.on('data', (chunk: Buffer) => {
      size += chunk.length
      releaseBuffers(chunk.length)
      if (size > options.maxBytes) content.destroy(tooLarge(options.maxBytes))
    })
    await pipeline(content, sink)
    return { name, size, sha256: await hash.finish(size), staged }
  } catch (error) {
    hash.forget()
    await staged.discard()
    throw isRefusal(error) ? error : invalid('The form breaks off inside the file; send it again.')
  }
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError('file_too_large', `The file is larger than the ${maxBytes} bytes that are accepted.`)
}

function partFault(part: string, hasFile: boolean): HttpError {
  if (part === PART && !hasFile) {
    return invalid(`The part "${PART}" has no filename, so it is not a file; with curl write -F "${PART}=@photo.png".`)
  }
  const found = hasFile && part === PART ? `two parts named "${PART}"` : `a part named ${quote(part)}`
  return invalid(`The form has ${found}; exactly one part is expected, the file, named "${PART}".`)
}
