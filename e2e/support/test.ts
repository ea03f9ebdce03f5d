import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { axeViolations } from './axe'

/** Contexts of the story that runs in this process. */
const opened: BrowserContext[] = []

/**
 * The test every story uses. A page that throws, or that complains on its console, fails the story; so does a request
 * that leaves this machine. Relative addresses go to the running product.
 */
export const test = base.extend<{ complaints: string[]; closing: undefined }, { hydration: undefined }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  baseURL: async ({}, use) => use(process.env.GREENROOM_URL),
  // Of every context, those that stories open themselves included.
  hydration: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (...args) => {
        const context = await newContext(...args)
        context.on('page', waitForHydration)
        opened.push(context)
        return context
      }
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
  // Pages that a story leaves open go on drawing, and slow all stories after it.
  closing: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      await use(undefined)
      await Promise.all(opened.splice(0).map((context) => context.close()))
    },
    { auto: true },
  ],
  complaints: [
    async ({ context }, use) => {
      const complaints: string[] = []
      listen(context, complaints)
      const calls = new Set<string>()
      const refusals: Promise<string>[] = []
      context.on('response', (response) => {
        const { pathname } = new URL(response.url())
        // Each response of the interface has a request id; one that a story puts in its place, as a proxy would, has none.
        const isOurs = pathname.startsWith('/api/') && 'x-request-id' in response.headers()
        if (isOurs) calls.add(`${response.request().method()} ${response.status()} ${pathname}`)
        if (isOurs && response.status() >= 400)
          refusals.push(
            Promise.race([response.text(), tooLate()])
              .then((text) => `${pathname}: ${text}`)
              .catch(() => pathname),
          )
      })
      await use(complaints)
      complaints.push(...(await undeclared(calls)))
      // What was expected is among them, too: they explain a complaint, and are none.
      const words = complaints.length > 0 ? (await Promise.all(refusals)).join('\n') : ''
      expect(complaints, `what the pages complained about\n${words}`).toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** The body of a response whose page is gone may never come. */
const tooLate = () => new Promise<string>((resolve) => setTimeout(resolve, 30_000, 'its body did not come').unref())

/** Has `goto` and `reload` return once the page hears clicks and keys, and takes files. */
function waitForHydration(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)]
  page.goto = async (...args) => {
    const response = await goto(...args)
    await hydrated(page)
    return response
  }
  page.reload = async (...args) => {
    const response = await reload(...args)
    await hydrated(page)
    return response
  }
}

/**
 * A page that came from the server shows everything before it hears clicks and keys: what is streamed replaces its
 * placeholder (`template`), and React has to take it over.
 */
async function hydrated(page: Page) {
  await page
    .waitForFunction(
      () =>
        !document.querySelector('template[id^="B:"]') &&
        [...document.querySelectorAll('main button, main a, main input')].every((element) =>
          Object.keys(element).some((key) => key.startsWith('__reactFiber')),
        ),
      undefined,
      { timeout: 30_000 },
    )
    .catch(() => {})
}

type Description = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> }
let described: Promise<Description> | undefined

/** Responses of the interface whose status its own description does not name. */
async function undeclared(calls: ReadonlySet<string>): Promise<string[]> {
  described ??= fetch(`${process.env.GREENROOM_URL}/api/openapi.json`).then((response) => response.json())
  const forms = Object.entries((await described).paths).map(([path, methods]) => ({
    form: new RegExp(`^${path.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }))
  return [...calls].flatMap((call) => {
    const [method = '', status = '', pathname = ''] = call.split(' ')
    const operation = forms.find(({ form }) => form.test(pathname))?.methods[method.toLowerCase()]
    return operation && !(status in operation.responses) ? [`not declared: ${call}`] : []
  })
}

/** Notes what the pages of a context complain about. A story that opens contexts of its own asks for it itself. */
export function listen(context: BrowserContext, complaints: string[]) {
  context.on('weberror', (error) => complaints.push(`page error: ${error.error().message}`))
  context.on('console', (message) => {
    // A player asks for pieces of a copy until it knows that the copy is made, which takes them away.
    const isPieceGone = /status of 404/.test(message.text()) && message.location().url.includes('/playback/pieces/')
    if (message.type() === 'error' && !isPieceGone)
      complaints.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const leaves = /^(https?|wss?):$/.test(protocol) && !['localhost', '127.0.0.1'].includes(hostname)
    if (leaves) complaints.push(`request to the outside: ${request.url()}`)
  })
}

/**
 * A refused request is printed to the console by the browser itself. A story about a refusal says which responses it
 * expects; what else is complained about still fails it.
 */
export function expectRefusals(complaints: string[], ...statuses: number[]) {
  const expected = (text: string) =>
    statuses.some((status) => text.includes(`the server responded with a status of ${status}`))
  const others = complaints.filter((text) => !expected(text))
  complaints.splice(0, complaints.length, ...others)
}

/** The password of the four demo accounts of the running product. */
export const demoPassword = () => process.env.GREENROOM_PASSWORD ?? ''

/** Fails with the rule, the element and the remedy when the page breaks WCAG 2.2 A or AA, as far as a machine can find out. */
export async function expectAccessible(page: Page) {
  // Where the story happens to have scrolled the page or a panel, an edge covers half of some button.
  const scrolled = await page.evaluateHandle(() => {
    const panels = [...document.body.querySelectorAll('*')].filter(({ scrollTop }) => scrollTop > 0)
    const places = panels.map((panel) => ({ panel, top: panel.scrollTop }))
    for (const { panel } of places) panel.scrollTop = 0
    window.scrollTo(0, 0)
    return places
  })
  await expectNoViolations(page, `accessibility of ${page.url()}`, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  })
  await scrolled.evaluate((places) => {
    for (const { panel, top } of places) panel.scrollTop = top
  })
}

/** Fails with what axe finds, by its rules as `options` choose them. */
export async function expectNoViolations(page: Page, what: string, options?: RunOptions, exclude?: string[]) {
  // A page that is shown anew meanwhile is without its title for a moment, and a dialog not begun to fade in is half
  // there: what is found must still be so.
  const until = Date.now() + 60_000
  for (;;) {
    // Asked before: of a long page on a busy machine one look takes a minute, and says what it says all the same.
    const isLast = Date.now() > until
    try {
      await settled(page)
      const violations = await axeViolations(page, options, exclude)
      const found = violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${help}\n  at ${target.join(' ')}\n  ${failureSummary}`),
      )
      expect(found, what).toEqual([])
      return
    } catch (error) {
      if (isLast || page.isClosed()) throw error
    }
  }
}

/**
 * A page just navigated to has its title and nothing half faded in: contrast is a promise about what stays. Between two
 * animations of a notice there may be a frame without one, so twice in a row nothing moves.
 */
async function settled(page: Page) {
  await expect(page).toHaveTitle(/./)
  await page.waitForFunction(async () => {
    const isStill = () =>
      document
        .getAnimations()
        .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity)
    if (!isStill()) return false
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
    return isStill()
  })
}
