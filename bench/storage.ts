// `npm run bench:storage`: a 2 GB file from the disk into a bucket, as an upload is stored, against the SDK's own multipart
// upload of the same file to the same server, by turns. The server is the tests' own, in a process of its own; it
// verifies signatures and checksums and writes to the disk.
import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { S3BlobStore } from '@/lib/adapters/blob-store/s3'
import { StagingFolder } from '@/lib/adapters/blob-store/staging-folder'
import type { StagedBlob } from '@/lib/domain/kernel/blob-store'
import { median } from './median'

const { values } = parseArgs({
  options: { size: { type: 'string', default: '2' }, rounds: { type: 'string', default: '3' } },
})
const size = Number(values.size) * 1e9
const LEAST_RATIO = 0.8
const MOST_GROWTH_MB = 128
const bucket = 'bench'
const credentials = { accessKeyId: 'BENCH', secretAccessKey: 'secret' }
const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-bench-s3-'))
const server = fork(fileURLToPath(new URL('storage-server.ts', import.meta.url)), [], { execArgv: ['--import', 'tsx'] })
const [endpoint] = (await once(server, 'message')) as [string]

try {
  const staging = new StagingFolder(folder)
  const store = new S3BlobStore(staging, { bucket, region: 'us-east-1', endpoint, credentials })
  const client = new S3Client({ region: 'us-east-1', endpoint, credentials, forcePathStyle: true })
  const rates = { floor: [] as number[], product: [] as number[] }
  let growth = 0
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const staged = await fileOf(staging)
    const key = `floor/${randomUUID()}`
    rates.floor.push(
      await rateOf(() =>
        new Upload({ client, params: { Bucket: bucket, Key: key, Body: createReadStream(staged.path) } }).done(),
      ),
    )
    const before = resident()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, resident())
    }, 50)
    const stored = `files/${randomUUID()}` as const
    rates.product.push(await rateOf(() => store.commit(staged, stored)))
    clearInterval(watch)
    growth = Math.max(growth, (most - before) / 2 ** 20)
    server.send('empty')
    console.log(
      `round ${round + 1}  floor ${rates.floor.at(-1)?.toFixed(0)} MB/s  product ${rates.product.at(-1)?.toFixed(0)} MB/s`,
    )
  }
  const ratio = median(rates.product) / median(rates.floor)
  console.log(`floor    ${median(rates.floor).toFixed(0)} MB/s (@aws-sdk/lib-storage, from the same file)`)
  console.log(`product  ${median(rates.product).toFixed(0)} MB/s (kept, its length and checksum confirmed)`)
  console.log(`ratio    ${ratio.toFixed(2)}`)
  console.log(`memory   grew by ${growth.toFixed(0)} MB at most`)
  if (ratio < LEAST_RATIO || growth > MOST_GROWTH_MB) process.exitCode = 1
} finally {
  server.disconnect()
  rmSync(folder, { recursive: true, force: true })
}

async function fileOf(staging: StagingFolder): Promise<StagedBlob> {
  const staged = await staging.stage()
  const sink = await staged.writable()
  const block = randomBytes(4 * 1024 * 1024)
  for (let left = size; left > 0; left -= block.length) {
    if (!sink.write(block.subarray(0, Math.min(left, block.length)))) await once(sink, 'drain')
  }
  sink.end()
  await once(sink, 'finish')
  return staged
}

async function rateOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return size / 1e3 / (performance.now() - started)
}

function resident(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024
}
