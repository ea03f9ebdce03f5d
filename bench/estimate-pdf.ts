// `npm run bench:estimate-pdf`: (1) what an estimate costs to draw, 10 to 1,000 lines, in processor time; (2) how much
// longer GET /api/projects takes while four estimates of 1,000 lines are being exported, against the idle product.
import { spawnSync } from 'node:child_process'
import http from 'node:http'
import { renderEstimate } from '@/lib/pdf/render-estimate'
import { sheetWith } from '@/lib/pdf/testing'
import { ask, openProduct, type Product } from './product'

const ROUNDS = 7
const LINES = [10, 100, 1000]
const ASKED_AT_ONCE = 4
const IDLE_SECONDS = 8
const EXPORTS = 4

if (process.argv.includes('--draw')) await draw()
else {
  // In a process with the limits of the printer's own.
  const words = ['--max-semi-space-size=64', '--max-old-space-size=512', '--import', 'tsx', 'bench/estimate-pdf.ts']
  spawnSync(process.execPath, [...words, '--draw'], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (!process.argv.includes('--draw-only')) await exportUnderLoad()
}

/** Processor time of all threads of this process, milliseconds. */
async function cost(lines: number): Promise<number> {
  const before = process.cpuUsage()
  await renderEstimate(sheetWith(lines))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function draw() {
  const first = await cost(1000)
  for (let round = 0; round < 3; round++) await cost(1000)
  const median: Record<number, number> = {}
  for (const lines of LINES) {
    const taken: number[] = []
    for (let round = 0; round < ROUNDS; round++) taken.push(await cost(lines))
    median[lines] = middle(taken)
    const each = ((median[lines] ?? 0) / lines).toFixed(2)
    console.log(
      `${String(lines).padStart(5)} lines  ${median[lines]?.toFixed(0)} ms of CPU, ${each} ms a line (median of ${ROUNDS}, best ${Math.min(...taken).toFixed(0)})`,
    )
  }
  console.log(`       cold  ${first.toFixed(0)} ms of CPU for 1000 lines, the first a process ever draws`)
  const growth = ((median[1000] ?? 0) - (median[100] ?? 0)) / 900 / (((median[100] ?? 0) - (median[10] ?? 0)) / 90)
  console.log(`     growth  a line costs ${growth.toFixed(2)} times as much between 100 and 1000 as between 10 and 100`)
}

async function exportUnderLoad() {
  const product = await openProduct()
  try {
    const estimates = await makeEstimates(product)
    await latencies(product, sleep(2000))
    const idle = await latencies(product, sleep(IDLE_SECONDS * 1000))
    const busy = await latencies(
      product,
      Promise.all(estimates.map((id) => fetchPdf(product, `/api/cost-estimates/${id}/export?format=pdf`))),
    )
    console.log(
      `idle         p50 ${at(idle, 0.5)} ms, p99 ${at(idle, 0.99)} ms of GET /api/projects (${idle.length} asked)`,
    )
    console.log(`${EXPORTS} exports    p50 ${at(busy, 0.5)} ms, p99 ${at(busy, 0.99)} ms (${busy.length} asked)`)
    console.log(`ratio        ${(at(busy, 0.99) / at(idle, 0.99)).toFixed(2)} of the p99`)
  } finally {
    await product.stop()
  }
}

async function makeEstimates(product: Product): Promise<string[]> {
  const { projects } = await ask<{ projects: { id: string }[] }>(product, 'GET', '/api/projects?status=active')
  const line_items = sheetWith(1000).lines.map(({ description, quantity, unitPrice }) => ({
    description,
    quantity: Number(quantity),
    unit_price: Number(unitPrice),
  }))
  const ids: string[] = []
  for (let index = 0; index < EXPORTS; index++) {
    const title = `Bench ${index}`
    const body = { project_id: projects[0]?.id, title, line_items }
    ids.push((await ask<{ id: string }>(product, 'POST', '/api/cost-estimates', body)).id)
  }
  return ids
}

async function fetchPdf(product: Product, path: string) {
  const response = await fetch(product.url + path, { headers: product.headers })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** How long GET /api/projects takes, milliseconds, again and again until something else is done; sorted. */
async function latencies(product: Product, until: Promise<unknown>): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: ASKED_AT_ONCE })
  const taken: number[] = []
  let isDone = false
  const end = until.finally(() => {
    isDone = true
  })
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const start = performance.now()
      http
        .get(`${product.url}/api/projects`, { agent, headers: product.headers }, (response) => {
          if (response.statusCode !== 200) return reject(new Error(`It responded with ${response.statusCode}.`))
          response.resume()
          response.on('end', () => {
            taken.push(performance.now() - start)
            resolve()
          })
        })
        .on('error', reject)
    })
  await Promise.all(
    Array.from({ length: ASKED_AT_ONCE }, async () => {
      while (!isDone) await one()
    }),
  )
  await end
  agent.destroy()
  return taken.sort((a, b) => a - b)
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 0
}

function at(sorted: number[], share: number): number {
  return Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1))
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
