import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { median } from './median'
import { openBatch, openProduct, type Product } from './product'
import { startServer } from './server'

/**
 * Many small images, several at once, through the running product against a bare server that keeps each file, its hash
 * and one row. By turns, so that a busy minute of the machine hits both; the median of the rounds.
 *
 *   npm run bench:small -- [--files 2000] [--rounds 3] [--at-once 16]     files of all rounds together
 */
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '16' },
  },
})
const LEAST = 0.5
const rounds = Number(values.rounds)
const each = Math.max(1, Math.ceil(Number(values.files) / rounds))
const atOnce = Number(values['at-once'])
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-small-'))
let product: Product | undefined
let floor: Awaited<ReturnType<typeof startServer>> | undefined
try {
  const image = await photo()
  product = await openProduct()
  if (!product.databaseUrl) throw new Error('The floor writes its rows to the database of a product of our own.')
  floor = await startServer('small-floor.ts', folder, product.databaseUrl)
  const batch = await openBatch(product)
  const { headers, untilIdle } = product
  const targets = [
    { name: 'bare server', url: `http://127.0.0.1:${floor.port}`, headers: {}, rates: [] as number[] },
    { name: 'product', url: `${product.url}${batch}/files`, headers, rates: [] as number[] },
  ]
  console.log(`files of ${Math.round(image.length / 1000)} kB, ${atOnce} at once, load ${loadavg()[0]?.toFixed(1)}`)
  for (const { url, headers } of targets) await sendAll(url, headers, image, 2 * atOnce)
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, url, headers, rates } of targets) {
      await untilIdle()
      const { rate, slow } = await sendAll(url, headers, image, each)
      rates.push(rate)
      console.log(
        `round ${round}  ${name.padEnd(12)} ${rate.toFixed(1).padStart(7)} files a second, 95 % within ${slow.toFixed(0)} ms`,
      )
    }
  }
  const [base = 0, reached = 0] = targets.map(({ rates }) => median(rates))
  const ratio = reached / base
  console.log(`${ratio.toFixed(2)} of the bare server (at least ${LEAST}) ${ratio >= LEAST ? 'kept' : 'missed'}`)
  if (ratio < LEAST) process.exitCode = 1
} finally {
  floor?.process.disconnect()
  await product?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A JPEG of about 50 kB. */
function photo(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 30 }
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 82 })
    .toBuffer()
}

/** The image with a comment of its own (ITU-T T.81, B.2.4.5), so that no two are the same. */
function ofItsOwn(image: Buffer): Buffer {
  const text = Buffer.from(randomUUID())
  const head = Buffer.from([0xff, 0xfe, 0, text.length + 2])
  return Buffer.concat([image.subarray(0, 2), head, text, image.subarray(2)])
}

async function sendAll(url: string, headers: Record<string, string>, image: Buffer, count: number) {
  const waits: number[] = []
  let left = count
  const sender = async () => {
    while (left-- > 0) {
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(ofItsOwn(image))]), `${randomUUID()}.jpg`)
      const began = performance.now()
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        body: form,
      })
      if (response.status !== 201) throw new Error(`${url} responded with ${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
      waits.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, sender))
  const sorted = waits.sort((a, b) => a - b)
  return {
    rate: count / ((performance.now() - began) / 1000),
    slow: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
  }
}
