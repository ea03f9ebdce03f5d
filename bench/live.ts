// `npm run bench:live`: what 1,000 open pages cost while nothing happens, and while 200 files arrive. Each page holds one
// stream of server-sent events, as the screens do; what is counted is the processor time of the web processes.
import { Agent, get, type IncomingMessage } from 'node:http'
import postgres from 'postgres'
import sharp from 'sharp'
import { openBatch, openProduct, type Product } from './product'
import { processorTime, spent, webOf } from './scale/counted'

const PAGES = Number(process.env.PAGES ?? 1000)
const ARRIVALS = Number(process.env.ARRIVALS ?? 200)
/** Long enough for four heartbeats and two looks at whether the session still holds. */
const IDLE_SECONDS = 60

const product = await openProduct()
const web = webOf(process.pid)
const streams: IncomingMessage[] = []
try {
  const batch = await openBatch(product)
  await product.untilIdle()
  const alone = await costOf(idle)
  let heard = 0
  for (let opened = 0; opened < PAGES; opened += 50)
    streams.push(...(await Promise.all(Array.from({ length: Math.min(50, PAGES - opened) }, () => open(product)))))
  for (const stream of streams) stream.on('data', (chunk: Buffer) => (heard += hintsIn(chunk)))
  const listening = await listeners(product)
  const open1000 = await costOf(idle)
  const before = heard
  const burst = await costOf(() => arrive(product, batch))
  const share = (open1000.busy - alone.busy) * 100
  console.log(`streams     ${PAGES} open to ${web.length} web processes, ${listening} LISTEN connections`)
  console.log(`nothing     ${(alone.busy * 100).toFixed(1)} % of a core without them, over ${IDLE_SECONDS} s`)
  console.log(`idle        ${(open1000.busy * 100).toFixed(1)} % of a core with them`)
  console.log(
    `ratio       ${share.toFixed(1)} % of a core for all of them (at most 10 %) ${share <= 10 ? 'kept' : 'missed'}; ` +
      `connections ${listening <= web.length ? 'kept' : 'missed'} (at most one a process)`,
  )
  console.log(
    `arrivals    ${ARRIVALS} in ${burst.seconds.toFixed(1)} s, ${((heard - before) / PAGES).toFixed(0)} hints to each page, ` +
      `${(burst.busy * 100).toFixed(0)} % of a core`,
  )
} finally {
  for (const stream of streams) stream.destroy()
  await product.stop()
}

function idle(): Promise<void> {
  return new Promise((done) => setTimeout(done, IDLE_SECONDS * 1000))
}

/** Seconds, and the share of one core that the web processes had meanwhile. */
async function costOf(work: () => Promise<void>): Promise<{ seconds: number; busy: number }> {
  const before = processorTime(web)
  const from = performance.now()
  await work()
  const seconds = (performance.now() - from) / 1000
  return { seconds, busy: spent(before, processorTime(web)) / 1000 / seconds }
}

function open({ url, headers }: Product): Promise<IncomingMessage> {
  const agent = new Agent({ keepAlive: false })
  return new Promise((resolve, reject) => {
    get(`${url}/api/live`, { headers, agent }, (response) =>
      response.statusCode === 200 ? resolve(response) : reject(new Error(`A stream got ${response.statusCode}.`)),
    ).once('error', reject)
  })
}

function hintsIn(chunk: Buffer): number {
  return chunk.toString('latin1').split('data: ').length - 1
}

async function listeners({ databaseUrl }: Product): Promise<number> {
  if (!databaseUrl) throw new Error('The database is counted on one of our own: start this without GREENROOM_URL.')
  const sql = postgres(databaseUrl, { max: 1 })
  const [row] = await sql`select count(*)::int as count from pg_stat_activity
    where query ilike 'listen %' and query ilike '%greenroom%'`
  await sql.end()
  return row?.count ?? 0
}

/** Files of one delivery, eight at a time. */
async function arrive({ url, headers }: Product, batch: string) {
  let next = 0
  const send = async () => {
    for (let number = next++; number < ARRIVALS; number = next++) {
      const png = await sharp({ create: { width: 64 + number, height: 64, channels: 3, background: '#3a7' } })
        .png()
        .toBuffer()
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), `file-${number}.png`)
      const response = await fetch(`${url}${batch}/files`, { method: 'POST', headers, body: form })
      if (!response.ok) throw new Error(`The upload got ${response.status}: ${await response.text()}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, send))
}
