// `npm run bench:direct -- [--size 2] [--rounds 3] [--mbit 1000]`, sizes in GB (10^9 bytes): an archive goes from a client
// to the bucket by signed addresses. Counted are the bytes between the client and the web processes, in both directions;
// timed is the verdict, from the request that completes the upload until a client that keeps asking has it, against the
// floor: the same object read once from the same server with the SDK into a file, which is the least that any decoder needs.
// The server is the tests' own, in a process of its own; it copies by reference. `--mbit` is the speed at which it sends an
// object, for both: without it, the server, the client that reads and the checks share the cores of one machine, and the
// ratio says how many there are.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { type Archive, archiveOf } from './archive'
import { median } from './median'
import { ask, openBatch, openProduct, type Product } from './product'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    mbit: { type: 'string' },
  },
})
const size = Number(values.size) * 1e9
const MOST_BYTES = 1e6
const MOST_RATIO = 1.2
const AT_ONCE = 4
const ASK_MS = 50
/** Asking is traffic, too: of a long wait, this part passes between two questions. */
const ASK_PART = 1 / 50
const bucket = 'bench'
const credentials = { accessKeyId: 'BENCH', secretAccessKey: 'secret' }
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-direct-'))
const speed = values.mbit ? [String((Number(values.mbit) * 1e6) / 8)] : []
const program = fileURLToPath(new URL('storage-server.ts', import.meta.url))
const server = fork(program, speed, { execArgv: ['--import', 'tsx'] })
const [endpoint] = (await once(server, 'message')) as [string]
const client = new S3Client({ region: 'us-east-1', endpoint, credentials, forcePathStyle: true })
Object.assign(process.env, {
  STORAGE: 's3',
  UPLOADS: 'direct',
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  DEMO: 'true',
})

type Upload = { id: string; size: number; status: string; part_size: number; refusal: unknown; result: { id: string } }
type Signed = { parts: { number: number; size: number; url: string }[] }

let product: Product | null = null
try {
  product = await openProduct()
  const counted = await counter(Number(new URL(product.url).port))
  const through = { ...product, url: counted.url }
  const batch = await openBatch(through)
  const verdicts: number[] = []
  const floors: number[] = []
  let most = 0
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    await product.untilIdle()
    const archive = archiveOf(round === 0 ? 100e6 : size) // the first one warms
    const before = counted.bytes()
    const began = performance.now()
    const at = await send(through, `${batch}/uploads`, archive)
    const sent = performance.now()
    const upload = await settle(through, at)
    const verdict = (performance.now() - sent) / 1000
    const bytes = counted.bytes() - before
    await product.untilIdle()
    const floor = await readOnce(archive.size)
    if (round > 0) {
      most = Math.max(most, bytes)
      verdicts.push(verdict)
      floors.push(floor)
      console.log(
        `round ${round}  sent in ${((sent - began) / 1000).toFixed(1)} s  verdict ${verdict.toFixed(2)} s  floor ${floor.toFixed(2)} s  through the web ${(bytes / 1e3).toFixed(0)} kB`,
      )
    }
    await ask(product, 'DELETE', `${batch}/files/${upload.result.id}`)
  }
  const ratio = median(verdicts) / median(floors)
  const link = values.mbit ? `${values.mbit} Mbit/s from the bucket` : 'the bucket on the same cores'
  console.log(`\n${values.size} GB, ${values.rounds} rounds, ${link}, medians`)
  console.log(`floor    ${median(floors).toFixed(2)} s  (the object read once, into a file)`)
  console.log(`verdict  ${median(verdicts).toFixed(2)} s  (put together, read, hashed, decoded, copied, written)`)
  console.log(`ratio    ${ratio.toFixed(2)}  (at most ${MOST_RATIO})`)
  console.log(`through the web processes ${(most / 1e3).toFixed(0)} kB at most  (less than ${MOST_BYTES / 1e3})`)
  if (ratio > MOST_RATIO || most >= MOST_BYTES) process.exitCode = 1
} finally {
  await product?.stop()
  server.disconnect()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** Sends all parts, a few at once; gives the path of the upload. */
async function send(to: Product, uploads: string, archive: Archive): Promise<string> {
  const begun = await ask<Upload & Signed>(to, 'POST', uploads, { name: archive.name, size: archive.size })
  const at = `${uploads}/${begun.id}`
  const count = Math.ceil(archive.size / begun.part_size)
  const urls = new Map(begun.parts.map(({ number, url }) => [number, url]))
  const running = new Set<Promise<void>>()
  let number = 0
  for (const part of partsOf(archive, begun.part_size)) {
    number += 1
    if (!urls.has(number)) {
      const parts = Array.from({ length: Math.min(16, count - number + 1) }, (_, index) => number + index)
      for (const signed of (await ask<Signed>(to, 'POST', `${at}/parts`, { parts })).parts)
        urls.set(signed.number, signed.url)
    }
    const put: Promise<void> = fetch(urls.get(number) ?? '', { method: 'PUT', body: new Uint8Array(part) }).then(
      async (response) => {
        if (!response.ok) throw new Error(`A part got ${response.status}: ${await response.text()}`)
        running.delete(put)
      },
    )
    running.add(put)
    if (running.size >= AT_ONCE) await Promise.race(running)
  }
  await Promise.all(running)
  return at
}

function* partsOf(archive: Archive, partSize: number): Iterable<Buffer> {
  let pieces: Buffer[] = []
  let held = 0
  for (const piece of archive.pieces()) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + partSize - held)
      pieces.push(taken)
      held += taken.length
      at += taken.length
      if (held < partSize) continue
      yield Buffer.concat(pieces)
      pieces = []
      held = 0
    }
  }
  if (held > 0) yield Buffer.concat(pieces)
}

async function settle(at: Product, upload: string): Promise<Upload> {
  const began = performance.now()
  let asked = await ask<Upload>(at, 'POST', `${upload}/complete`)
  while (asked.status === 'checking') {
    const pause = Math.max(ASK_MS, (performance.now() - began) * ASK_PART)
    await new Promise((resolve) => setTimeout(resolve, pause))
    asked = await ask<Upload>(at, 'GET', upload)
  }
  if (asked.status !== 'accepted') throw new Error(`The upload was ${asked.status}: ${JSON.stringify(asked.refusal)}`)
  return asked
}

/** Seconds it takes to read the object of this size once. */
async function readOnce(bytes: number): Promise<number> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'files/' }))
  const key = Contents.find(({ Size }) => Size === bytes)?.Key
  const file = path.join(folder, 'floor')
  const started = performance.now()
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
  await pipeline(Body as Readable, createWriteStream(file))
  const seconds = (performance.now() - started) / 1000
  rmSync(file)
  return seconds
}

/** A way to the web processes that counts what passes, in both directions. */
async function counter(port: number) {
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
  }
  const proxy = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    from.on('data', count).pipe(to)
    to.on('data', count).pipe(from)
    from.on('error', () => to.destroy())
    to.on('error', () => from.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxy.unref()
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, bytes: () => bytes }
}
