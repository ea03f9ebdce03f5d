// `npm run bench:review`: a batch of 500 files in the review room, in a browser. How long from the navigation until the
// first file is on screen, and from the key j until the next one is; beside a bare page that holds the same image.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { openBrowser, signIn } from './browser'
import { ask, type Product } from './product'

const FILES = Number(process.env.FILES ?? 500)
const VISITS = 9
const KEYS = 40
const AT_ONCE = 2
/** Between two keys, as a reviewer inspects: the next file is fetched meanwhile. */
const INSPECT_MS = 600

/**
 * Notes when an image is decoded and the frame that shows it has begun, in the clock of the page; and when a key went
 * down. As text: what a browser runs must not pass through our compiler.
 */
const WATCH = `
  window.seen = {}
  addEventListener('keydown', (event) => { window.pressed = event.timeStamp }, true)
  requestAnimationFrame(function sample() {
    const image = document.querySelector('img[data-image-of]')
    const id = image && image.dataset.imageOf
    if (id && image.complete && image.naturalWidth > 0 && !(id in seen)) {
      seen[id] = Infinity
      requestAnimationFrame(() => { seen[id] = performance.now() })
    }
    requestAnimationFrame(sample)
  })`

const { product, browser } = await openBrowser()
try {
  // One that is there already can be named: /projects/…/batches/…
  const place = process.env.REVIEW_PLACE ?? (await fill(product))
  const image = await oneImage(product, place)
  const floor = await barePage(image)
  const signedIn = await signIn(browser, product)
  const first: number[] = []
  const bare: number[] = []
  for (let visit = 0; visit <= VISITS; visit++) {
    const measured = await firstImage(browser, signedIn, `${product.url}${place}/review`)
    const plain = await firstImage(browser, undefined, floor.url)
    // The first visit is the server's first, too.
    if (visit > 0) {
      first.push(measured)
      bare.push(plain)
    }
  }
  const keys = await keyToImage(browser, signedIn, `${product.url}${place}/review`)
  const at = (values: number[], share: number) =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
  console.log(`files       ${FILES} in one batch`)
  console.log(`floor       ${at(bare, 0.5).toFixed(0)} ms to the same image on a bare page (median of ${VISITS})`)
  console.log(
    `first file  ${at(first, 0.5).toFixed(0)} ms from navigation to image (median; slowest ${at(first, 0.99).toFixed(0)} ms)`,
  )
  console.log(
    `next file   ${at(keys, 0.5).toFixed(0)} ms from key to image (median of ${keys.length}; 95 % within ${at(keys, 0.95).toFixed(0)} ms)`,
  )
  console.log(`wanted      first file under 1000 ms, next file under 100 ms`)
  await floor.stop()
} finally {
  await browser.close()
  await product.stop()
}

/** A submitted batch of so many different banners, checked; its path in the workspace. */
async function fill(asked: Product) {
  const make = async <T = { id: string }>(path: string, body: object) => ask<T>(asked, 'POST', path, body)
  const name = `Bench ${Date.now()}`
  const agency = await make('/api/agencies', { name, code: `R${Date.now()}` })
  const category = await make('/api/media-categories', { name })
  const { users } = await ask<{ users: { id: string }[] }>(asked, 'GET', '/api/users?role=operator')
  const project = await make('/api/projects', { name, agency_id: agency.id, media_category_id: category.id })
  const batch = await make(`/api/projects/${project.id}/batches`, { name, operator_id: users[0]?.id })
  const path = `/api/projects/${project.id}/batches/${batch.id}`
  let sent = 0
  const send = async () => {
    while (sent < FILES) {
      const number = sent++
      const bytes = await banner(number)
      const form = new FormData()
      form.append(
        'file',
        new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
        `banner-${String(number).padStart(4, '0')}.png`,
      )
      const response = await fetch(`${asked.url}${path}/files`, { method: 'POST', headers: asked.headers, body: form })
      if (!response.ok) throw new Error(`An upload got ${response.status}: ${await response.text()}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  await make(`${path}/submit`, {})
  const deadline = Date.now() + 10 * 60_000
  for (;;) {
    const { pre_qc } = await ask<{ pre_qc: { status: string } }>(asked, 'GET', path)
    const { files } = await ask<{ files: { thumbnail_url: string | null }[] }>(asked, 'GET', `${path}/files`)
    if (pre_qc.status === 'completed' && files.every((file) => file.thumbnail_url)) break
    if (Date.now() > deadline) throw new Error('The files were not checked and pictured within ten minutes.')
    await new Promise((done) => setTimeout(done, 2000))
  }
  return path.replace('/api', '')
}

async function oneImage(asked: Product, place: string): Promise<Buffer> {
  const { files } = await ask<{ files: { download_url: string }[] }>(asked, 'GET', `/api${place}/files?limit=1`)
  const { pathname } = new URL(files[0]?.download_url ?? asked.url)
  return Buffer.from(await (await fetch(asked.url + pathname, { headers: asked.headers })).arrayBuffer())
}

/** 970 × 250 px with a gradient, a shape and a number: no two alike, each of the size banners have. */
function banner(number: number): Promise<Buffer> {
  const hue = (number * 37) % 360
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="970" height="250">
    <defs><linearGradient id="g"><stop stop-color="hsl(${hue} 60% 30%)"/><stop offset="1" stop-color="hsl(${(hue + 80) % 360} 70% 70%)"/></linearGradient></defs>
    <rect width="970" height="250" fill="url(#g)"/><circle cx="${100 + ((number * 13) % 700)}" cy="125" r="90" fill="hsl(${(hue + 180) % 360} 70% 50%)"/>
    <text x="40" y="150" font-size="72" fill="#fff">Banner ${number}</text></svg>`
  return sharp(Buffer.from(drawing)).png().toBuffer()
}

type State = Awaited<ReturnType<typeof signIn>>

async function firstImage(asked: Browser, storageState: State | undefined, url: string): Promise<number> {
  const context = await asked.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await page.goto(url)
  const time = await seenFirst(page)
  await context.close()
  return time
}

async function seenFirst(page: Page) {
  const handle = await page.waitForFunction(() => {
    const { seen } = window as unknown as { seen: Record<string, number> }
    return Object.values(seen).find((time) => Number.isFinite(time))
  })
  return (await handle.jsonValue()) ?? 0
}

async function keyToImage(asked: Browser, storageState: State, url: string): Promise<number[]> {
  const context = await asked.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await page.goto(url)
  await seenFirst(page)
  await page.waitForTimeout(2 * INSPECT_MS)
  const times: number[] = []
  for (let press = 0; press < KEYS; press++) {
    await page.waitForTimeout(INSPECT_MS)
    const known = await page.evaluate(() => Object.keys((window as unknown as { seen: object }).seen).length)
    await page.keyboard.press('j')
    const handle = await page.waitForFunction((before) => {
      const { seen, pressed } = window as unknown as { seen: Record<string, number>; pressed: number }
      const times = Object.values(seen)
      const last = times.at(-1)
      return times.length > before && last !== undefined && Number.isFinite(last) ? last - pressed : undefined
    }, known)
    times.push((await handle.jsonValue()) ?? 0)
  }
  await context.close()
  return times
}

/** Nothing but the image, by a server that does nothing else: what a browser takes for it in any case. */
async function barePage(image: Buffer) {
  const server = http.createServer((request, response) => {
    if (request.url === '/image') {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(image)
      return
    }
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      .end('<!doctype html><title>Floor</title><img src="/image" data-image-of="floor" alt="">')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => new Promise((done) => server.close(done)),
  }
}
