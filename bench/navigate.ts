// `npm run bench:navigate`: how long a navigation takes, from the click on a link until the page it leads to is on screen and
// whole, in a browser on the demo workspace that has the files of the build already; beside loading the same address as a
// document. ROUNDS=9
import type { Page } from '@playwright/test'
import { openBrowser, signIn, untilQuiet } from './browser'
import { ask } from './product'

const ROUNDS = Number(process.env.ROUNDS ?? 9)
const WANTED_MS = 300

/**
 * Until a page stands at the address, with its heading and nothing that is on its way: milliseconds since the click, or since
 * the navigation of the document. As text: what a browser runs must not pass through our compiler.
 */
const WATCH = `({ path, left }) => new Promise((done, fail) => {
  setTimeout(() => fail(new Error(path + ' did not come; here is ' + location.pathname)), 20000)
  const isThere = () => {
    const heading = document.querySelector('h1')
    return location.pathname === path && heading && heading !== left.heading &&
      !document.querySelector('main [role=status][aria-label^="Loading"]')
  }
  const look = (now) => isThere() ? requestAnimationFrame((shown) => done(shown - left.at)) : requestAnimationFrame(look)
  requestAnimationFrame(look)
})`
const LEAVE = `() => {
  window.left = { at: 0, heading: document.querySelector('h1') }
  addEventListener('click', (event) => { window.left.at = event.timeStamp }, { capture: true, once: true })
}`

const { product, browser } = await openBrowser()
try {
  const { batches } = await ask<{ batches: { id: string; project_id: string; counts: { files: number } }[] }>(
    product,
    'GET',
    '/api/batches?limit=100',
  )
  const batch = batches.sort((a, b) => b.counts.files - a.counts.files)[0]
  if (!batch) throw new Error('The demo workspace has no batch.')
  const project = `/projects/${batch.project_id}`
  const files = `${project}/batches/${batch.id}`
  /** Each leads on from the one before, by a link that stands there. */
  const route = [
    '/work',
    '/projects',
    project,
    files,
    `${files}/review`,
    files,
    '/inbox',
    '/batches',
    '/analytics',
    '/work',
  ]
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    storageState: await signIn(browser, product),
  })
  const page = await context.newPage()
  const clicked = new Map<string, number[]>()
  const loaded = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    await page.goto(route[0] as string)
    for (const path of route.slice(1)) {
      await untilQuiet(page, 500)
      const took = await go(page, path)
      // The first round brings the code of each page.
      if (round > 0) note(clicked, path, took)
    }
    for (const path of round > 0 ? new Set(route) : []) {
      await page.goto(path, { waitUntil: 'commit' })
      note(loaded, path, (await page.evaluate(`(${WATCH})({ path: '${path}', left: { at: 0 } })`)) as number)
      await untilQuiet(page, 500)
    }
  }
  console.log('page               click: half  95 of 100     document: half')
  let slowest = 0
  for (const [path, took] of clicked) {
    slowest = Math.max(slowest, at(took, 0.95))
    const [half, most, document] = [at(took, 0.5), at(took, 0.95), at(loaded.get(path) ?? [], 0.5)]
    console.log(
      `${nameOf(path).padEnd(18)} ${ms(half)} ${ms(most)}   ${ms(document)}   ${(half / document).toFixed(2)}x of the document`,
    )
  }
  console.log(`wanted             under ${WANTED_MS} ms ${slowest < WANTED_MS ? 'kept' : 'missed'}`)
} finally {
  await browser.close()
  await product.stop()
}

/** By a person: the pointer comes near, and presses. */
async function go(page: Page, path: string): Promise<number> {
  await page.evaluate(`(${LEAVE})()`)
  await page.locator(`a[href="${path}"], a[href^="${path}?"]`).first().click()
  return (await page.evaluate(`(${WATCH})({ path: '${path}', left: window.left })`)) as number
}

function note(into: Map<string, number[]>, path: string, took: number) {
  into.set(path, [...(into.get(path) ?? []), took])
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`.padStart(12)
}

function nameOf(path: string): string {
  const parts = path.split('/').map((part) => (/^[0-9a-f-]{36}$/.test(part) ? 'one' : part))
  return parts.slice(-2).join(' ').trim()
}
