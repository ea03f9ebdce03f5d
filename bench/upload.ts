import { randomUUID } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { archiveOf } from './archive'
import { median } from './median'
import { ask, openBatch, openProduct, type Product } from './product'
import { startServer } from './server'
import { processListeningOn, residentBytes, upload } from './upload-client'

/**
 * Uploads through the running product against a floor: the same client sends a 2 GB archive by turns to a bare server
 * that does busboy + SHA-256 + write, to our own path of the bytes alone, and to the product, which also makes it
 * durable, checks it to its last byte and writes the rows. Then 10 GB once, watching the memory of the web processes, and
 * `--small` small images, four at a time, each with an Idempotency-Key. `--rounds 0` leaves the archives out.
 *
 *   npm run bench:upload -- [--size 2] [--rounds 5] [--memory 10] [--small 200] [--bare]     sizes in GB (10^9 bytes)
 *
 * GREENROOM_URL and GREENROOM_TOKEN name a product that runs already; --bare leaves the product out.
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '10' },
    small: { type: 'string', default: '200' },
    bare: { type: 'boolean', default: false },
  },
})
const MOST_GROWTH_MB = 128
const AT_ONCE = 4
const SCRATCH = Buffer.alloc(128 * 1024)
const size = Number(values.size) * 1e9
const rounds = Number(values.rounds)
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-'))
const floor = await startServer('upload-floor.ts', folder)
const bare = await startServer('upload-bare.ts', folder)
let product: Product | null = null
try {
  product = values.bare ? null : await openProduct()
  const batch = product && (await openBatch(product))
  const target = product && batch ? productTarget(product, batch) : null
  if (rounds > 0) await compare(target)
  if (target && Number(values.memory) > 0) await watchMemory(target)
  if (product && batch && Number(values.small) > 0) await sendSmall(product, batch, Number(values.small))
} finally {
  await product?.stop()
  floor.process.disconnect()
  bare.process.disconnect()
  rmSync(folder, { recursive: true, force: true })
}

type Target = { name: string; port: number; send: (bytes: number) => Promise<number> }

async function compare(target: Target | null) {
  const targets: Target[] = [
    { name: 'floor', port: floor.port, send: (bytes) => send(`http://127.0.0.1:${floor.port}`, bytes) },
    { name: 'our path alone', port: bare.port, send: (bytes) => send(`http://127.0.0.1:${bare.port}`, bytes) },
    ...(target ? [target] : []),
  ]
  const rates = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  for (const each of targets) await each.send(100e6) // warm
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of targets) {
      await product?.untilIdle()
      touchMemory(size)
      const rate = size / 1e6 / (await each.send(size))
      rates.get(each.name)?.push(rate)
      console.log(`round ${round}  ${each.name.padEnd(16)} ${rate.toFixed(0).padStart(5)} MB/s`)
    }
  }
  const base = median(rates.get('floor') ?? [])
  console.log(`\n${values.size} GB, ${rounds} rounds       median    best   of the floor`)
  for (const [name, measured] of rates) {
    const [middle, best] = [median(measured), Math.max(...measured)]
    console.log(
      `${name.padEnd(20)} ${middle.toFixed(0).padStart(6)} ${best.toFixed(0).padStart(7)}   ${(middle / base).toFixed(2)}`,
    )
  }
  const reached = target && median(rates.get(target.name) ?? []) / base
  if (reached !== null && reached < 1) fail(`The product reaches ${reached.toFixed(2)} of the floor; 1.00 is promised.`)
}

/**
 * A virtual machine gives free memory back to its host, and the process that writes a file next pays to get it again: up to half
 * of the throughput. So as much memory as the file will take in the system's cache is taken and freed before each turn.
 */
function touchMemory(bytes: number) {
  const scratch = path.join(folder, 'scratch')
  const file = openSync(scratch, 'w')
  for (let at = 0; at < bytes; at += SCRATCH.length) writeSync(file, SCRATCH)
  closeSync(file)
  rmSync(scratch)
}

async function watchMemory(target: Target) {
  const pid = processListeningOn(target.port)
  if (pid === null) throw new Error(`No process of this machine listens on port ${target.port}.`)
  const before = residentBytes(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, 100)
  const seconds = await target.send(Number(values.memory) * 1e9)
  clearInterval(watch)
  const growth = (most - before) / 2 ** 20
  const rate = (Number(values.memory) * 1e3) / seconds
  console.log(
    `\n${values.memory} GB in ${seconds.toFixed(1)} s (${rate.toFixed(0)} MB/s): the web processes held ` +
      `${(before / 2 ** 20).toFixed(0)} MB before, at most ${(most / 2 ** 20).toFixed(0)} MB during; growth ${growth.toFixed(0)} MB`,
  )
  if (growth > MOST_GROWTH_MB) fail(`Memory grew by ${growth.toFixed(0)} MB; ${MOST_GROWTH_MB} MB is promised.`)
}

/** Many small images, several at once. */
async function sendSmall(running: Product, batch: string, count: number) {
  await running.untilIdle()
  const images = await Promise.all(Array.from({ length: count + 2 * AT_ONCE }, (_, number) => smallImage(number)))
  const waits: number[] = []
  const sendAll = async (from: number, to: number) => {
    let next = from
    const sender = async () => {
      while (next < to) {
        const number = next++
        const form = new FormData()
        form.set('file', new Blob([new Uint8Array(images[number] ?? [])]), `small-${number}.png`)
        const began = performance.now()
        const response = await fetch(`${running.url}${batch}/files`, {
          method: 'POST',
          headers: { ...running.headers, 'Idempotency-Key': randomUUID() },
          body: form,
        })
        if (response.status !== 201)
          throw new Error(`The product responded with ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
        waits.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
  }
  await sendAll(count, images.length) // warm
  waits.length = 0
  const began = performance.now()
  await sendAll(0, count)
  const seconds = (performance.now() - began) / 1000
  console.log(
    `\n${count} small images, ${AT_ONCE} at a time: ${(count / seconds).toFixed(1)} a second, ${median(waits).toFixed(0)} ms each (median)`,
  )
}

function smallImage(number: number) {
  const background = { r: number % 256, g: number >> 8, b: 9 }
  return sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer()
}

function productTarget(running: Product, batch: string): Target {
  return {
    name: 'product',
    port: Number(new URL(running.url).port || 80),
    async send(bytes) {
      const archive = archiveOf(bytes)
      const { status, body, seconds } = await upload(`${running.url}${batch}/files`, archive, running.headers)
      if (status !== 201) throw new Error(`The product responded with ${status}: ${body}`)
      const { id, size: stored } = JSON.parse(body) as { id: string; size: number }
      if (stored !== archive.size) throw new Error(`${archive.size} bytes were sent, ${stored} stored.`)
      await ask(running, 'DELETE', `${batch}/files/${id}`)
      return seconds
    },
  }
}

async function send(url: string, bytes: number): Promise<number> {
  const archive = archiveOf(bytes)
  const { body, seconds } = await upload(url, archive)
  const { file } = JSON.parse(body) as { file: { size: number } }
  if (file.size !== archive.size) throw new Error(`${archive.size} bytes were sent, ${file.size} arrived.`)
  return seconds
}

function fail(message: string) {
  console.error(message)
  process.exitCode = 1
}
