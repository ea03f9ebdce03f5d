import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setNeedsSession } from './connection'
import { guardPageRequests, ownQuery } from './page-requests'
import { whenSettled } from './settled'

vi.mock('./settled', () => ({ whenSettled: vi.fn(() => Promise.resolve()) }))

type Outcome = Response | Error
const page = (text = 'page') => new Response(text, { headers: { 'Content-Type': 'text/x-component' } })
const html = (status: number) => new Response('<h1>proxy</h1>', { status, headers: { 'Content-Type': 'text/html' } })

/** A browser tab at `/here` whose network responds in this order. */
function tab(...outcomes: Outcome[]) {
  const asked: string[] = []
  const fetch = async (input: URL | string) => {
    asked.push(String(input))
    const outcome = outcomes.shift()
    if (!outcome) throw new Error('nothing more was to be asked')
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  const window = {
    fetch,
    location: { href: 'http://own.test/here', pathname: '/here', search: '?q=1' },
    history: { state: null as unknown },
  }
  vi.stubGlobal('window', window)
  guardPageRequests()
  const ask = (path: string, headers: Record<string, string> = { RSC: '1' }) =>
    (window.fetch as typeof globalThis.fetch)(new URL(path, 'http://own.test'), { headers })
  return { ask, asked, window }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('hands the router a page, whatever a refresh meets before', async () => {
  const { ask, asked } = tab(new TypeError('refused'), html(502), html(429), html(500), new TypeError('reset'), page())
  const response = ask('/here?q=1&_rsc=abc')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await (await response).text()).toBe('page')
  expect(asked).toHaveLength(6)
})

it('does not take half a page for one', async () => {
  const broken = new ReadableStream({
    start: (stream) => stream.enqueue(new Uint8Array([1])),
    pull: (stream) => stream.error(new TypeError('broke off')),
  })
  const { ask } = tab(new Response(broken, { headers: { 'Content-Type': 'text/x-component' } }), page('whole'))
  const response = ask('/here?q=1')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await (await response).text()).toBe('whole')
})

it('keeps what is on screen when a refresh gets something else', async () => {
  for (const response of [html(200), html(404), html(403)]) {
    const { ask, asked } = tab(response)
    const settled = vi.fn()
    void ask('/here?q=1').then(settled, settled)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([settled.mock.calls.length, asked.length]).toEqual([0, 1])
  }
})

it('keeps what is on screen when the session ends on the way of a refresh, and goes on with the next', async () => {
  const toSignIn = () => page('6:E{"digest":"NEXT_REDIRECT;replace;/sign-in?callbackUrl=%2Fhere;307;"}\n')
  const me = (status: number) => new Response('{}', { status, headers: { 'Content-Type': 'application/json' } })
  setNeedsSession(true)
  const { ask, asked } = tab(toSignIn(), me(401), page('signed in again'))
  vi.stubGlobal('fetch', (input: string) => (window.fetch as typeof globalThis.fetch)(input))
  const response = ask('/here?q=1')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await (await response).text()).toBe('signed in again')
  expect(asked[1]).toBe('/api/users/me')

  // A text that reads so is part of the page.
  const { ask: askAgain } = tab(toSignIn(), me(200))
  vi.stubGlobal('fetch', (input: string) => (window.fetch as typeof globalThis.fetch)(input))
  expect(await (await askAgain('/here?q=1')).text()).toContain('NEXT_REDIRECT')
  setNeedsSession(false)
})

it('waits out an outage for a link that was followed, and lets it lead where it leads', async () => {
  const { ask } = tab(new TypeError('refused'), html(503), html(404))
  const response = ask('/elsewhere')
  await vi.advanceTimersByTimeAsync(30_000)
  expect((await response).status).toBe(404)
})

it('refreshes a page that alone reads its query as it was rendered, also when a filter changes the address meanwhile', async () => {
  const { ask, asked, window } = tab(page(), page(), page())
  window.history.state = { __PRIVATE_NEXTJS_INTERNALS_TREE: { renderedSearch: '?view=grid' } }
  const end = ownQuery('/here')
  await ask('/here?q=1&_rsc=abc')
  // The router goes to another query: that one is rendered.
  await ask('/here?q=2&_rsc=abc')
  end()
  await ask('/here?q=1&_rsc=abc')
  expect(asked).toEqual(['?view=grid', '?q=2', '?q=1'].map((query) => `http://own.test/here${query}&_rsc=abc`))
})

it('lets pages fetched ahead wait until this one is complete, and nothing else', async () => {
  let settle = () => {}
  vi.mocked(whenSettled).mockReturnValueOnce(new Promise((resolve) => (settle = resolve)))
  const { ask, asked } = tab(page('here'), page('ahead'))
  const ahead = ask('/elsewhere', { RSC: '1', 'Next-Router-Prefetch': '1' })
  expect(await (await ask('/here?q=1')).text()).toBe('here')
  expect(asked).toEqual(['http://own.test/here?q=1'])
  settle()
  expect(await (await ahead).text()).toBe('ahead')
})

it('leaves everything else alone: what is fetched ahead, and requests of our own', async () => {
  const { ask } = tab(new TypeError('refused'), html(502))
  await expect(ask('/here', { RSC: '1', 'Next-Router-Prefetch': '1' })).rejects.toThrow('refused')
  expect((await ask('/api/projects', {})).status).toBe(502)
})

/** A page that a link leads to, whose end comes after so long. */
function slowPage(ms: number) {
  const encoder = new TextEncoder()
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(encoder.encode('a skeleton, '))
      setTimeout(() => {
        stream.enqueue(encoder.encode('its content'))
        stream.close()
      }, ms)
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/x-component' } })
}

it('holds a page back until it is whole, but not for long', async () => {
  for (const [ms, handedAt, first] of [
    [100, 100, 'a skeleton, its content'],
    [5_000, 250, 'a skeleton, '],
  ] as const) {
    const { ask } = tab(slowPage(ms))
    const began = performance.now()
    let at = 0
    let read = ''
    const reading = ask('/elsewhere').then(async ({ body }) => {
      at = performance.now() - began
      for await (const part of body as ReadableStream<Uint8Array>) read += new TextDecoder().decode(part)
    })
    await vi.advanceTimersByTimeAsync(250)
    expect([at, read]).toEqual([handedAt, first])
    await vi.advanceTimersByTimeAsync(5_000)
    await reading
    expect(read).toBe('a skeleton, its content')
  }
})
