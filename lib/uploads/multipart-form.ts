import { Readable, Writable } from 'node:stream'
import busboy from 'busboy'
import { quote } from '@/lib/domain/kernel/errors'
import { HttpError } from '@/lib/http/http-error'

const BUFFER_BYTES = 64 * 1024
const LINE_END = '\r\n'
const END_OF_HEAD = `${LINE_END}${LINE_END}`
const NOTHING = Buffer.alloc(0)

/** Who hears what a form holds, in the order in which it comes. */
export interface FormListener {
  /** A part with a file name, or without one when `name` is null (then it carries no bytes to read). */
  onPart(part: string, name: string | null, content: Readable): void
  onFault(error: HttpError): void
  /** The closing boundary has been read. */
  onEnd(): void
}

/**
 * Takes the bytes of a multipart/form-data body. busboy reads the heads of the parts and decides what is well-formed; the
 * content of the parts goes around it, because finding the next boundary with the engine's own search costs a fraction
 * of what a search written in JavaScript costs. What busboy sees is the same form with nothing in its parts.
 */
export class MultipartForm extends Writable {
  private readonly parser: busboy.Busboy
  private readonly delimiter: Buffer
  private isInHead = false
  /** Where the content of the part goes that is being read; null for what is not wanted, such as the preamble. */
  private content: Readable | null = null
  /** The end of what was seen, where a delimiter or the end of a head may have begun. */
  private carried = Buffer.from(LINE_END) // a boundary at the very start of the body counts
  private resumeWriting: (() => void) | null = null

  /** @throws HttpError `unsupported_media_type`, `invalid_multipart` when the Content-Type is not that of a form. */
  constructor(contentType: string, listener: FormListener) {
    super({ highWaterMark: BUFFER_BYTES })
    const boundary = boundaryOf(contentType)
    this.delimiter = Buffer.from(`${LINE_END}--${boundary}`)
    this.parser = busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      defParamCharset: 'utf8', // its default, latin1, turns "Ž.pdf" into mojibake
      preservePath: true,
      limits: { parts: 4 },
    })
    this.parser.on('file', (part, nothing, { filename }) => {
      nothing.on('error', () => {}).resume()
      this.content = new Readable({ highWaterMark: BUFFER_BYTES, read: () => this.proceed() })
      listener.onPart(part ?? '', filename === undefined ? null : unescapeName(filename), this.content)
    })
    this.parser.on('field', (part) => listener.onPart(part ?? '', null, Readable.from([])))
    this.parser.on('partsLimit', () => listener.onFault(invalid('The form has too many parts; send one file.')))
    this.parser.on('error', (error) => listener.onFault(parserFault(error)))
    this.parser.on('close', () => listener.onEnd())
    this.parser.write(this.delimiter)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let rest = chunk
    while (rest.length > 0) rest = this.isInHead ? this.readHead(rest) : this.readContent(rest)
    if (this.content && this.content.readableLength >= BUFFER_BYTES) this.resumeWriting = done
    else done()
  }

  override _final(done: () => void): void {
    this.parser.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.content?.destroy()
    if (!this.parser.writableEnded) this.parser.destroy()
    done(error)
  }

  private proceed(): void {
    const resume = this.resumeWriting
    this.resumeWriting = null
    resume?.()
  }

  /** Gives busboy a head up to its empty line, and then at once the delimiter that is yet to come; returns what is left. */
  private readHead(bytes: Buffer): Buffer {
    const all = Buffer.concat([this.carried, bytes])
    const at = all.indexOf(END_OF_HEAD)
    if (at === -1) {
      this.carried = all.subarray(1 - END_OF_HEAD.length)
      this.parser.write(bytes)
      return NOTHING
    }
    const end = at + END_OF_HEAD.length - this.carried.length
    this.carried = NOTHING
    this.isInHead = false
    this.parser.write(bytes.subarray(0, end))
    this.parser.write(this.delimiter) // makes it call back: this.content is set now if the part is a file
    return bytes.subarray(end)
  }

  /** Passes content on up to the next delimiter, keeping back an end that may begin one; returns what is left. */
  private readContent(bytes: Buffer): Buffer {
    const all = this.carried.length > 0 ? Buffer.concat([this.carried, bytes]) : bytes
    const at = all.indexOf(this.delimiter)
    if (at === -1) {
      const lastReturn = all.lastIndexOf('\r') // in a delimiter it stands at the beginning and nowhere else
      const tail = lastReturn === -1 ? NOTHING : all.subarray(lastReturn)
      const mayBegin = tail.length < this.delimiter.length && this.delimiter.subarray(0, tail.length).equals(tail)
      this.carried = mayBegin ? Buffer.from(tail) : NOTHING
      this.content?.push(all.subarray(0, all.length - this.carried.length))
      return NOTHING
    }
    this.content?.push(all.subarray(0, at))
    this.content?.push(null)
    this.content = null
    this.carried = NOTHING
    this.isInHead = true
    return all.subarray(at + this.delimiter.length)
  }
}

export function invalid(message: string): HttpError {
  return new HttpError('invalid_multipart', message)
}

/** RFC 2046, 5.1.1: 1 to 70 characters of a small set, the last of them no space. */
function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new HttpError(
      'unsupported_media_type',
      `The Content-Type is ${quote(contentType)}; a file is sent as multipart/form-data, in one part named "file".`,
    )
  }
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s"]*))\s*(?:;|$)/i.exec(contentType) ?? []
  const boundary = quoted ?? plain ?? ''
  if (/^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)) return boundary
  throw invalid(`The Content-Type ${quote(contentType)} has no usable boundary; let your HTTP client set this header.`)
}

function parserFault(error: unknown): HttpError {
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
