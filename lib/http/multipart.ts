import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import type { StagedBlob } from '@/lib/domain/kernel/blob-store'
import { DomainError, quote } from '@/lib/domain/kernel/errors'
import { abandonBody, bodyStream, watchPace } from './exchange'

export interface ReceivedPart {
  /** As the client gave it, path and all: the naming rules judge it. */
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
  /** Hears the name before the first byte is kept; what it throws ends the upload and is thrown on. */
  onName?: (name: string) => Promise<void> | void
  /** See watchPace. */
  windowMs?: number
}

/** The name of the one part a form must have. */
const PART = 'file'
/** Room for the boundary lines and the headers around the file. */
const ENVELOPE_BYTES = 64 * 1024
const PARSER_BUFFER_BYTES = 1024 * 1024

/**
 * Reads a multipart/form-data body (RFC 7578) holding exactly one part, the file named `file`, into a staged blob:
 * streamed in constant memory, hashed on the way, with the name heard before the bytes are kept. Nothing stays staged
 * when it throws: `invalid_multipart`, `unsupported_media_type`, `file_too_large`, StorageUnavailable, or what `onName` threw.
 */
export async function receivePart(request: Request, options: ReceiveOptions): Promise<ReceivedPart> {
  const body = bodyStream(request)
  const declaredBytes = request.headers.get('content-length')
  try {
    if (Number(declaredBytes ?? 0) > options.maxBytes + ENVELOPE_BYTES) throw tooLarge(options.maxBytes)
    const parser = openParser(request.headers.get('content-type') ?? '')
    return await readForm(body, parser, declaredBytes, options)
  } catch (error) {
    abandonBody(body)
    throw error
  }
}

function openParser(contentType: string): busboy.Busboy {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new DomainError(
      'unsupported_media_type',
      `The Content-Type is ${quote(contentType)}; a file is sent as multipart/form-data, in one part named "${PART}".`,
    )
  }
  try {
    return busboy({
      headers: { 'content-type': contentType },
      defParamCharset: 'utf8', // its default, latin1, turns "Ž.pdf" into mojibake
      preservePath: true,
      highWaterMark: PARSER_BUFFER_BYTES,
      fileHwm: PARSER_BUFFER_BYTES,
      limits: { parts: 4, fieldSize: 1024 },
    })
  } catch {
    throw invalid(
      `The Content-Type ${quote(contentType)} has no usable boundary; let your HTTP client set this header.`,
    )
  }
}

/** All that happens while one form is read, settled once: by the whole file or by the first fault. */
function readForm(
  body: Readable,
  parser: busboy.Busboy,
  declaredBytes: string | null,
  options: ReceiveOptions,
): Promise<ReceivedPart> {
  return new Promise((resolve, reject) => {
    let file: Promise<ReceivedPart> | null = null
    let failed = false
    const pace = watchPace(body, () => fail(invalid('The upload stalled; send it again.')), options.windowMs)
    const fail = (error: unknown) => {
      if (failed) return
      failed = true
      pace.stop()
      body.unpipe(parser)
      parser.destroy()
      const discarded = file?.then(({ staged }) => staged.discard()) ?? Promise.resolve()
      discarded.catch(() => {}).finally(() => reject(error))
    }
    const broken = () => {
      if (!body.readableEnded) fail(invalid('The connection broke before the whole file had arrived; send it again.'))
    }

    parser.on('file', (part, stream, { filename }) => {
      if (filename === undefined || part !== PART || file !== null) {
        stream.on('error', () => {})
        return fail(partFault(part, file !== null))
      }
      file = readFile(unescapeName(filename), stream, options)
      file.catch(fail)
    })
    parser.on('field', (part) => fail(partFault(part, file !== null)))
    parser.on('partsLimit', () =>
      fail(invalid(`The form has too many parts; send one file, in a part named "${PART}".`)),
    )
    parser.on('error', (error) => fail(parserFault(error)))
    parser.on('close', () => {
      if (failed) return
      if (file === null) return fail(invalid(`The form has no file; send it in a part named "${PART}".`))
      if (declaredBytes !== null && Number(declaredBytes) !== pace.received()) {
        return fail(
          invalid(`The Content-Length says ${declaredBytes} bytes, but ${pace.received()} arrived; send it again.`),
        )
      }
      pace.stop()
      file.then(resolve, fail)
    })
    body.on('error', broken)
    body.on('close', broken)
    body.pipe(parser)
  })
}

async function readFile(name: string, stream: Readable, options: ReceiveOptions): Promise<ReceivedPart> {
  stream.on('error', () => {}) // it may break while the name is judged; the pipeline below reports it
  await options.onName?.(name)
  const staged = await options.stage()
  try {
    const sink = await staged.writable()
    const hash = createHash('sha256')
    let size = 0
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > options.maxBytes) stream.destroy(tooLarge(options.maxBytes))
      else hash.update(chunk)
    })
    await pipeline(stream, sink)
    return { name, size, sha256: hash.digest('hex'), staged }
  } catch (error) {
    await staged.discard()
    throw error instanceof DomainError ? error : cutOff()
  }
}

function invalid(message: string): DomainError {
  return new DomainError('invalid_multipart', message)
}

function cutOff(): DomainError {
  return invalid('The form breaks off inside the file; send it again.')
}

function tooLarge(maxBytes: number): DomainError {
  return new DomainError('file_too_large', `The file is larger than the ${maxBytes} bytes that are accepted.`)
}

function partFault(part: string | undefined, hasFile: boolean): DomainError {
  if (part === PART && !hasFile) {
    return invalid(`The part "${PART}" has no filename, so it is not a file; with curl write -F "${PART}=@photo.png".`)
  }
  const found = hasFile && part === PART ? `two parts named "${PART}"` : `a part named ${quote(part ?? '')}`
  return invalid(`The form has ${found}; exactly one part is expected, the file, named "${PART}".`)
}

function parserFault(error: unknown): DomainError {
  const message = error instanceof Error ? error.message : ''
  if (message === 'Malformed part header') return invalid('A header of a part is malformed or longer than 16 KiB.')
  if (message.startsWith('Unexpected end')) return invalid('The form ends before its closing boundary; send it again.')
  return invalid(`The form cannot be read: ${message}.`)
}

/**
 * Undoes the three escapes that browsers and curl apply to a file name in this header, and no other (HTML Standard,
 * 4.10.21.8 Multipart form data): "%41" in a name stays as it is.
 */
function unescapeName(name: string): string {
  return name.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%22', '"')
}
