import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A tab whose document is at this state; what it listens to, and what it was asked to do when idle. */
async function tab(readyState: string, hasIdle = true) {
  const window = new EventTarget()
  const idle: (() => void)[] = []
  const requestIdleCallback = (callback: () => void) => idle.push(callback)
  if (hasIdle) Object.assign(window, { requestIdleCallback })
  vi.stubGlobal('window', window)
  vi.stubGlobal('requestIdleCallback', requestIdleCallback)
  vi.stubGlobal('document', { readyState })
  const { whenSettled } = await import('./settled')
  const settled = vi.fn()
  void whenSettled().then(settled)
  const isSettled = async () => {
    await Promise.resolve()
    return settled.mock.calls.length > 0
  }
  return { window, idle, isSettled }
}

it('waits until the document is loaded and the browser is idle', async () => {
  const { window, idle, isSettled } = await tab('interactive')
  expect(idle).toHaveLength(0)
  window.dispatchEvent(new Event('load'))
  expect(await isSettled()).toBe(false)
  idle[0]?.()
  expect(await isSettled()).toBe(true)
})

it('ends when a key or a button is pressed', async () => {
  for (const type of ['pointerdown', 'keydown', 'click']) {
    const { window, isSettled } = await tab('loading')
    window.dispatchEvent(new Event(type))
    expect([type, await isSettled()]).toEqual([type, true])
    vi.resetModules()
  }
})

it('waits a moment where the browser does not say that it is idle', async () => {
  vi.useFakeTimers()
  const { isSettled } = await tab('complete', false)
  expect(await isSettled()).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(await isSettled()).toBe(true)
  vi.useRealTimers()
})
