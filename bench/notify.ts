// `npm run bench:notify`: one user comments on a file, and another, in another browser, sees the notification
// without touching anything. How long from the request that causes it until it stands on the other's screen.
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { chromiumPath, provisionChromium } from '@/e2e/support/chromium'
import { ask, openProduct, type Product } from './product'

const ROUNDS = Number(process.env.ROUNDS ?? 20)
/** Between two causes, as people act. */
const PAUSE_MS = 1500
process.env.DEMO_PASSWORD ??= 'measured-in-a-browser'
const PASSWORD = process.env.DEMO_PASSWORD

/** Notes when a text is on screen, in the clock both browsers share. As text: it must not pass through our compiler. */
const WATCH = `
  window.seen = {}
  requestAnimationFrame(function sample() {
    for (const text of window.wanted ?? [])
      if (!(text in seen) && document.body.innerText.includes(text)) {
        seen[text] = Infinity
        requestAnimationFrame(() => { seen[text] = Date.now() })
      }
    requestAnimationFrame(sample)
  })`

const product = await openProduct()
const environment = await provisionChromium()
const launch = () =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, ...environment } as Record<string, string>,
  })
const browsers = await Promise.all([launch(), launch()])
try {
  const place = await fill(product)
  const [operator, coordinator] = await Promise.all([
    signIn(browsers[0], 'operator', '/projects'),
    signIn(browsers[1], 'coordinator', '/inbox'),
  ])
  const fromRequest: number[] = []
  const fromResponse: number[] = []
  // The first round is the server's first, too.
  for (let round = 0; round <= ROUNDS; round++) {
    await coordinator.waitForTimeout(PAUSE_MS)
    const text = `Remark ${round} of ${Date.now()}`
    await coordinator.evaluate((wanted) => Object.assign(window, { wanted: [wanted] }), text)
    const { asked, responded } = await operator.evaluate(
      async ({ path, body }) => {
        const asked = Date.now()
        const headers = { 'Content-Type': 'application/json' }
        const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ body }) })
        if (!response.ok) throw new Error(`The comment got ${response.status}: ${await response.text()}`)
        return { asked, responded: Date.now() }
      },
      { path: place, body: text },
    )
    const handle = await coordinator.waitForFunction((wanted) => {
      const at = (window as unknown as { seen: Record<string, number> }).seen[wanted]
      return at !== undefined && Number.isFinite(at) ? at : undefined
    }, text)
    const at = (await handle.jsonValue()) ?? 0
    if (round === 0) continue
    fromRequest.push(at - asked)
    fromResponse.push(at - responded)
  }
  console.log(`rounds          ${ROUNDS}, a comment in one browser, the inbox open in another`)
  console.log(`from request    ${report(fromRequest)}`)
  console.log(`from its response ${report(fromResponse)}`)
  console.log('wanted          on screen within 1000 ms of its cause')
} finally {
  await Promise.all(browsers.map((browser) => browser.close()))
  await product.stop()
}

function report(times: number[]) {
  const sorted = [...times].sort((a, b) => a - b)
  return `${sorted[sorted.length >> 1]} ms median, ${sorted.at(-1)} ms worst`
}

/** A batch of the demo's operator and coordinator with one file; where comments on it go. */
async function fill(asked: Product): Promise<string> {
  const make = <T = { id: string }>(path: string, body: object) => ask<T>(asked, 'POST', path, body)
  const name = `Bench ${Date.now()}`
  const agency = await make('/api/agencies', { name, code: `N${Date.now()}` })
  const category = await make('/api/media-categories', { name })
  const { users } = await ask<{ users: { id: string; email: string }[] }>(asked, 'GET', '/api/users')
  const idOf = (who: string) => users.find(({ email }) => email.startsWith(`${who}@`))?.id
  const project = await make('/api/projects', { name, agency_id: agency.id, media_category_id: category.id })
  const people = { operator_id: idOf('operator'), coordinator_id: idOf('coordinator') }
  const batch = await make(`/api/projects/${project.id}/batches`, { name, ...people })
  const path = `/api/projects/${project.id}/batches/${batch.id}/files`
  const png = await sharp({ create: { width: 300, height: 250, channels: 3, background: '#3a7' } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'banner.png')
  const response = await fetch(asked.url + path, { method: 'POST', headers: asked.headers, body: form })
  if (!response.ok) throw new Error(`The upload got ${response.status}: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  return `${path}/${id}/comments`
}

async function signIn(browser: Browser, who: string, to: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: product.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(WATCH)
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(to)}`)
  await page.getByLabel('E-mail').fill(`${who}@greenroom.test`)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === to)
  return page
}
