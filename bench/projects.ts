// `npm run bench:projects`: GET /api/projects?limit=50 of the running product, against a bare node:http server that
// asks the same database the same with postgres.js and sends it as JSON. Both are asked by the same client, in turn.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { env } from '@/lib/env'
import { ask, openProduct, type Product } from './product'

const ROUNDS = 5
const SECONDS = 4
const AT_ONCE = 8
const PROJECTS = 200

const product = await openProduct()
try {
  const { agencies } = await ask<{ agencies: { id: string }[] }>(product, 'GET', '/api/agencies')
  const { projects } = await ask<{ projects: object[] }>(product, 'GET', '/api/projects')
  for (let i = projects.length; i < PROJECTS; i++) {
    await ask(product, 'POST', '/api/projects', {
      name: `Bench project ${i}`,
      agency_id: agencies[i % agencies.length]?.id,
    })
  }
  const floor = await bareServer(product)
  const rates = { product: [] as number[], floor: [] as number[] }
  await load(`${product.url}/api/projects?limit=50`, product.headers, 2)
  await load(floor.url, {}, 2)
  for (let round = 0; round < ROUNDS; round++) {
    rates.floor.push(await load(floor.url, {}, SECONDS))
    rates.product.push(await load(`${product.url}/api/projects?limit=50`, product.headers, SECONDS))
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  console.log(`floor    ${middle(rates.floor).toFixed(0)} requests/s (bare node:http + postgres.js, the same rows)`)
  console.log(
    `product  ${middle(rates.product).toFixed(0)} requests/s (GET /api/projects?limit=50, ${AT_ONCE} at once, medians of ${ROUNDS})`,
  )
  console.log(`ratio    ${(middle(rates.product) / middle(rates.floor)).toFixed(2)}`)
  await floor.stop()
} finally {
  await product.stop()
}

async function bareServer(asked: Product) {
  const sql = postgres(asked.databaseUrl ?? env.DATABASE_URL, { max: 10 })
  const server = http.createServer(async (_request, response) => {
    const rows = await sql`
      select p.id, p.name, p.status, p.created_at, p.updated_at, a.id as agency_id, a.name as agency_name,
        c.id as campaign_id, c.name as campaign_name, m.id as category_id, m.name as category_name
      from projects p join agencies a on a.id = p.agency_id left join campaigns c on c.id = p.campaign_id
        left join media_categories m on m.id = p.media_category_id
      order by p.id desc limit 51`
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ projects: rows.slice(0, 50), next_cursor: rows.length > 50 ? rows[49]?.id : null }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.close()
      await sql.end()
    },
  }
}

/** Requests completed in a second, over connections that stay open. */
async function load(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const until = performance.now() + seconds * 1000
  let completed = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      http
        .get(url, { agent, headers }, (response) => {
          if (response.statusCode !== 200) return reject(new Error(`It responded with ${response.statusCode}.`))
          response.resume()
          response.on('end', resolve)
        })
        .on('error', reject)
    })
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) {
        await one()
        completed += 1
      }
    }),
  )
  agent.destroy()
  return completed / seconds
}
