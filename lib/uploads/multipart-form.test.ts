import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpError } from '@/lib/http/http-error'
import { MultipartForm } from './multipart-form'

const BOUNDARY = 'x-boundary'
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

type Heard = { parts: { part: string; name: string | null; content: Buffer | null }[]; faults: string[] }

/** Feeds a body in chunks of the given sizes (the last one repeated) and returns what was parsed. */
async function read(body: Buffer, sizes: number[], contentType = CONTENT_TYPE): Promise<Heard> {
  const heard: Heard = { parts: [], faults: [] }
  const contents: Promise<unknown>[] = []
  await new Promise<void>((done) => {
    const form = new MultipartForm(contentType, {
      onPart(part, name, content) {
        const at = heard.parts.length
        heard.parts.push({ part, name, content: null })
        contents.push(buffer(content).then((bytes) => Object.assign(heard.parts[at] ?? {}, { content: bytes })))
      },
      onFault: (error: HttpError) => heard.faults.push(error.detail),
      onEnd: done,
    })
    form.on('error', () => {})
    let at = 0
    for (let turn = 0; at < body.length; turn++) {
      const size = sizes[Math.min(turn, sizes.length - 1)] ?? body.length
      form.write(body.subarray(at, at + size))
      at += size
    }
    form.end()
  })
  await Promise.allSettled(contents)
  return heard
}

/** Content that is full of almost-boundaries. */
const trickyContent = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r',
        '\n',
        '-',
        '\r\n',
        '\r\n--',
        '\r\n--x',
        `\r\n--${BOUNDARY.slice(0, -1)}`,
        '\r\r\n--x-b',
        '\r\n\r\n',
      ),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => Buffer.concat(pieces.map((piece) => Buffer.from(piece as Uint8Array))))
  .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`))

const head = (disposition: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`

describe('a form', () => {
  it('gives the same content however the bytes are cut on their way', () =>
    fc.assert(
      fc.asyncProperty(
        trickyContent,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 }),
        async (content, sizes) => {
          const body = Buffer.concat([
            Buffer.from(head('name="file"; filename="a"')),
            content,
            Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
          ])
          const { parts, faults } = await read(body, sizes)
          expect(faults).toEqual([])
          expect(parts.map(({ part, name }) => ({ part, name }))).toEqual([{ part: 'file', name: 'a' }])
          expect(parts[0]?.content?.equals(content)).toBe(true)
        },
      ),
      { numRuns: 300 },
    ))

  it.each([
    [
      'a preamble and an epilogue',
      `hello\r\n\r\nworld\r\n${head('name="file"; filename="a"')}abc\r\n--${BOUNDARY}--\r\n\r\nbye\r\n\r\n`,
    ],
    [
      'headers of its own before the name',
      `--${BOUNDARY}\r\nX-A: b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc\r\n--${BOUNDARY}--`,
    ],
  ])('may have %s', async (_what, text) => {
    for (const size of [1, 3, 1000]) {
      const { parts, faults } = await read(Buffer.from(text), [size])
      expect(faults).toEqual([])
      expect(parts).toEqual([{ part: 'file', name: 'a', content: Buffer.from('abc') }])
    }
  })

  it('reports every part in turn, fields as parts without a name', async () => {
    const text = `${head('name="note"')}a\r\n\r\nb\r\n${head('name="file"; filename="a"')}abc\r\n${head('name="file"; filename=""')}x\r\n--${BOUNDARY}--\r\n`
    for (const size of [1, 7, 1000]) {
      const { parts } = await read(Buffer.from(text), [size])
      expect(parts.map(({ part, name }) => [part, name])).toEqual([
        ['note', null],
        ['file', 'a'],
        ['file', null],
      ])
    }
  })

  it('that ends inside its content is at fault, and its content breaks off', async () => {
    const { parts, faults } = await read(Buffer.from(`${head('name="file"; filename="a"')}abc`), [5])
    expect(faults).toEqual([expect.stringMatching(/ends before its closing boundary/)])
    expect(parts).toEqual([{ part: 'file', name: 'a', content: null }])
  })

  it.each([
    `multipart/form-data; boundary="${BOUNDARY}"`,
    `Multipart/Form-Data;charset=utf-8; BOUNDARY=${BOUNDARY}; x=y`,
  ])('is recognised by %s', async (contentType) => {
    const { parts } = await read(
      Buffer.from(`${head('name="file"; filename="a"')}abc\r\n--${BOUNDARY}--`),
      [9],
      contentType,
    )
    expect(parts).toHaveLength(1)
  })

  it.each(['', ' ', 'a"b', 'a\u0001', 'ž', 'a '.padEnd(80, 'a'), '"', 'a\\"b'])(
    'does not take %j for a boundary',
    (boundary) => {
      expect(
        () =>
          new MultipartForm(`multipart/form-data; boundary="${boundary}"`, { onPart() {}, onFault() {}, onEnd() {} }),
      ).toThrow(expect.objectContaining({ code: 'invalid_multipart' }))
    },
  )
})
