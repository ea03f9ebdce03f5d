import { expect, test, vi } from 'vitest'
import { sharedLookup } from './shared-lookup'

/** A look-up that returns when asked to, and counts how often it was made. */
function setUp() {
  const open: { key: string; resolve: (value: string) => void; fail: (error: Error) => void }[] = []
  const ask = sharedLookup<string>((key) => new Promise((resolve, fail) => open.push({ key, resolve, fail })))
  return { open, ask }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a caller who asks while a response is on its way gets one that was looked up afterwards', async () => {
  const { open, ask } = setUp()
  const first = ask('a')
  const second = ask('a')
  const third = ask('a')
  expect(open).toHaveLength(1)
  open[0]?.resolve('before')
  expect(await first).toBe('before')
  await settle()
  expect(open).toHaveLength(2)
  open[1]?.resolve('after')
  expect(await Promise.all([second, third])).toEqual(['after', 'after'])
})

test('different keys do not wait for each other, and a key asked again later is looked up again', async () => {
  const { open, ask } = setUp()
  const results = [ask('a'), ask('b')]
  expect(open.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, resolve } of open) resolve(key)
  expect(await Promise.all(results)).toEqual(['a', 'b'])
  ask('a').catch(() => {})
  expect(open).toHaveLength(3)
})

test('a failure reaches those who asked for it, and not those who wait for the next', async () => {
  const { open, ask } = setUp()
  const first = ask('a')
  const second = ask('a')
  open[0]?.fail(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settle()
  open[1]?.resolve('back')
  expect(await second).toBe('back')
})

test('a look-up that never ends is not waited for once it has run for a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { open, ask } = setUp()
    ask('a').catch(() => {})
    ask('a').catch(() => {})
    vi.advanceTimersByTime(59_000)
    ask('a').catch(() => {})
    expect(open).toHaveLength(1)
    vi.advanceTimersByTime(2_000)
    const fresh = ask('a')
    expect(open).toHaveLength(2)
    const next = ask('a')
    open[1]?.resolve('found')
    expect(await fresh).toBe('found')
    await settle()
    open[2]?.resolve('found again')
    expect(await next).toBe('found again')
  } finally {
    vi.useRealTimers()
  }
})
