// `npm run bench:page`: the page of a batch with 10,000 files in a browser whose processor is slowed 4 times. How long from the
// navigation until its files can be pressed, and its panels; beside the page of a batch with one file. The browser has the files
// of the build already, as it has at every visit but the first.
import type { BrowserContext } from '@playwright/test'
import sharp from 'sharp'
import { addRowsLike } from '@/fixtures/long-batch'
import { openBrowser, signIn, untilQuiet } from './browser'
import { ask, type Product } from './product'

const FILES = Number(process.env.FILES ?? 10_000)
const SLOWED = 4
const VISITS = 9
const MOST_MS = 1_500
const MOST_NODES = 3_000

/**
 * When React has taken over a part of the page, in milliseconds since the navigation. As text: what a browser runs must not
 * pass through our compiler.
 */
const WATCH = `new Promise((done) => {
  const isAlive = (selector) => {
    const element = document.querySelector(selector)
    return element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps'))
  }
  const seen = {}
  const look = () => {
    if (!('files' in seen) && isAlive('table button')) seen.files = performance.now()
    if (!('all' in seen) && isAlive('main button') && isAlive('table button') && isAlive('aside button')) seen.all = performance.now()
    if (!('files' in seen && 'all' in seen)) return setTimeout(look, 10)
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    done({ ...seen, paint: paint ? paint.startTime : 0, nodes: document.querySelectorAll('*').length })
  }
  look()
})`
type Seen = { files: number; all: number; paint: number; nodes: number }

const { product, browser } = await openBrowser()
try {
  const [one, many] = [await fill(product, 1), await fill(product, FILES)]
  await product.untilIdle()
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    storageState: await signIn(browser, product),
  })
  const floor = await visits(context, one)
  const measured = await visits(context, many)
  const [least, most] = [at(floor, 'files', 0.5), at(measured, 'files', 0.5)]
  const nodes = at(measured, 'nodes', 1)
  console.log(`floor   ${words(floor)} with one file`)
  console.log(`page    ${words(measured)} with ${FILES}`)
  console.log(`ratio   ${(most / least).toFixed(2)}x of the floor`)
  console.log(
    `wanted  files under ${MOST_MS} ms ${most < MOST_MS ? 'kept' : 'missed'}; ` +
      `under ${MOST_NODES} nodes ${nodes < MOST_NODES ? 'kept' : 'missed'} (${nodes})`,
  )
} finally {
  await browser.close()
  await product.stop()
}

function at(seen: Seen[], key: keyof Seen, share: number): number {
  const sorted = seen.map((each) => each[key]).sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function words(seen: Seen[]): string {
  const median = (key: keyof Seen) => `${at(seen, key, 0.5).toFixed(0)} ms`
  return `painted ${median('paint')}, files ${median('files')} (slowest ${at(seen, 'files', 1).toFixed(0)}), all ${median('all')}`
}

async function fill(asked: Product, files: number): Promise<string> {
  const make = async (path: string, body: object) => (await ask<{ id: string }>(asked, 'POST', path, body)).id
  const name = `Bench ${Date.now()}`
  const agency = await make('/api/agencies', { name, code: `P${Date.now()}` })
  const category = await make('/api/media-categories', { name })
  const project = await make('/api/projects', { name, agency_id: agency, media_category_id: category })
  const path = `/projects/${project}/batches/${await make(`/api/projects/${project}/batches`, { name })}`
  const form = new FormData()
  const image = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer()
  form.append('file', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'image-00000.jpg')
  const response = await fetch(`${asked.url}/api${path}/files`, { method: 'POST', headers: asked.headers, body: form })
  if (!response.ok) throw new Error(`An upload got ${response.status}: ${await response.text()}`)
  if (files > 1) {
    if (!asked.databaseUrl) throw new Error('The rows are made in its database: leave GREENROOM_URL out.')
    await addRowsLike(asked.databaseUrl, ((await response.json()) as { id: string }).id, files - 1)
  }
  return path
}

async function visits(context: BrowserContext, path: string): Promise<Seen[]> {
  const page = await context.newPage()
  await page.goto(path)
  await untilQuiet(page, 1_000)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  const seen: Seen[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    await page.goto('about:blank')
    await page.goto(path, { waitUntil: 'commit' })
    seen.push((await page.evaluate(WATCH)) as Seen)
    await untilQuiet(page, 1_000)
  }
  await page.close()
  return seen
}
