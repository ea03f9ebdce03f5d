// `npm run bench:zip -- [--size 10]`: a batch of so many GB (10^9 bytes), in files of 1 GB, leaves as one ZIP. Measured is the
// memory of the web processes while it is sent, which may grow by 64 MB; the ZIP is read to its end and thrown away.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { archiveOf } from './archive'
import { ask, makeOperator, openBatch, openProduct } from './product'
import { processListeningOn, residentBytes, upload } from './upload-client'

const { values } = parseArgs({ options: { size: { type: 'string', default: '10' } } })
const FILE_BYTES = 1e9
const MOST_GROWTH_MB = 64

const product = await openProduct({ WEB_PROCESSES: '1' })
try {
  const batch = await openBatch(product)
  for (let number = 0; number < Number(values.size); number += 1) {
    const sent = await upload(`${product.url}${batch}/files`, archiveOf(FILE_BYTES), product.headers)
    if (sent.status !== 201) throw new Error(`The product responded with ${sent.status}: ${sent.body}`)
  }
  const operator = await makeOperator(product, `operator-${Date.now()}@example.test`)
  await ask(product, 'PATCH', batch, { operator_id: operator })
  await ask(product, 'POST', `${batch}/submit`, {})
  await product.untilIdle()
  const { files } = await ask<{ files: { id: string }[] }>(product, 'GET', `${batch}/files?limit=500`)
  await ask(product, 'POST', `${batch}/review`, { decision: 'approve', file_ids: files.map(({ id }) => id) })
  await ask(product, 'POST', `${batch}/complete-review`, {})
  const pid = processListeningOn(Number(new URL(product.url).port))
  if (pid === null) throw new Error('No process of this machine listens on the port of the product.')
  await read(10e6) // warm
  const before = residentBytes(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, 100)
  const began = performance.now()
  const bytes = await read(Number.POSITIVE_INFINITY)
  clearInterval(watch)
  const rate = bytes / 1e3 / (performance.now() - began)
  const growth = (most - before) / 2 ** 20
  console.log(`${(bytes / 1e9).toFixed(2)} GB as one ZIP at ${rate.toFixed(0)} MB/s`)
  console.log(
    `memory  ${(before / 2 ** 20).toFixed(0)} MB before, grew by ${growth.toFixed(0)} MB at most (at most ${MOST_GROWTH_MB})`,
  )
  process.exitCode = growth <= MOST_GROWTH_MB && bytes >= Number(values.size) * FILE_BYTES ? 0 : 1

  /** Reads the ZIP, up to so many bytes; how many there were. */
  async function read(limit: number): Promise<number> {
    const request = get(`${product.url}${batch}/archive`, { headers: product.headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200)
      throw new Error(`The product responded with ${response.statusCode}: ${await text(response)}`)
    let bytes = 0
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes >= limit) break
    }
    return bytes
  }
} finally {
  await product.stop()
}
process.exit()
