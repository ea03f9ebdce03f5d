import { describe, expect, test } from 'vitest'
import type { Violation } from '@/lib/domain/kernel/errors'
import { ApiProblem } from '../api'
import { isSystemFile, networkProblem, type QueueOptions, type Sending, UploadQueue } from './queue'
import { totalsOf } from './upload-item'

const bytes = (name: string, size = 10) => new File([new Uint8Array(size)], name)
const problem = (status: number, body: Record<string, unknown> = {}) =>
  new ApiProblem({ status, code: String(body.code ?? 'x'), detail: `got ${status}`, body })
const misnamed: Violation = { rule: 'naming_convention', code: 'wrong', message: 'Wrong.', suggestion: 'right.png' }

/** A queue whose sender does what the test says, and whose pauses end when the test says so. */
function setUp(overrides: Partial<QueueOptions> = {}) {
  const pauses: { attempt: number; seconds: number; end: () => void }[] = []
  const verdicts: string[] = []
  const queue: UploadQueue = new UploadQueue({
    validate: async () => () => [],
    send: async () => ({}),
    pause: (attempt, seconds) => new Promise((end) => pauses.push({ attempt, seconds, end })),
    onVerdict: ({ file, state }) => verdicts.push(`${file.name} ${state}`),
    ...overrides,
  })
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve))
  }
  const first = () => queue.items[0]
  return { queue, pauses, verdicts, until, first }
}

describe('an outage', () => {
  test('of any length is waited out, and the file arrives', async () => {
    let attempts = 0
    const { queue, pauses, until, first } = setUp({
      send: async () => {
        attempts += 1
        if (attempts <= 40) throw networkProblem()
        return { file: { version: 1, sha256: 'ab' } }
      },
    })
    queue.add([{ file: bytes('a.png') }])
    for (let outage = 0; outage < 40; outage++) {
      await until(() => pauses.length > outage)
      expect(queue.items.length === 0 || first()?.state !== 'failed').toBe(true)
      pauses[outage]?.end()
    }
    await until(() => first()?.state === 'stored')
    expect(first()).toMatchObject({ sha256: 'ab', version: 1 })
  })

  test.each([0, 423, 429, 502, 503, 504, 507])('of status %s is one that passes', async (status) => {
    let attempts = 0
    const { queue, pauses, until, first } = setUp({
      send: async () => {
        attempts += 1
        if (attempts <= 8) throw problem(status)
        return {}
      },
    })
    queue.add([{ file: bytes('a.png') }])
    for (let outage = 0; outage < 8; outage++) {
      await until(() => pauses.length > outage)
      pauses[outage]?.end()
    }
    await until(() => first()?.state === 'stored')
  })

  test('shows no speed, and says that it waits', async () => {
    const { queue, pauses, until, first } = setUp({
      send: async ({ onProgress }) => {
        onProgress(6)
        throw networkProblem()
      },
    })
    queue.add([{ file: bytes('a.png') }])
    await until(() => pauses.length === 1 && first()?.state === 'retrying')
    expect(first()).toMatchObject({ speed: null, sentBytes: 6, failure: 'The connection was lost on the way.' })
    expect(totalsOf(queue.items)).toMatchObject({ retrying: 1, running: 1, failed: 0 })
  })

  test('interrupts what is under way, which begins again', async () => {
    const signals: AbortSignal[] = []
    const { queue, pauses, until, first } = setUp({
      send: ({ signal }) =>
        new Promise((resolve, reject) => {
          signals.push(signal)
          if (signals.length === 2) resolve({})
          signal.addEventListener('abort', () => reject(networkProblem()))
        }),
    })
    queue.add([{ file: bytes('a.png') }])
    await until(() => signals.length === 1)
    queue.interrupt()
    await until(() => pauses.length === 1)
    expect(signals[0]?.reason).toBe('interrupted')
    pauses[0]?.end()
    await until(() => first()?.state === 'stored')
  })

  test('waits as long as the server asks', async () => {
    const { queue, pauses, until } = setUp({
      send: async () => {
        throw new ApiProblem({ status: 503, code: 'unavailable', detail: '', retryAfterSeconds: 7 })
      },
    })
    queue.add([{ file: bytes('a.png') }])
    await until(() => pauses.length === 1)
    expect(pauses[0]).toMatchObject({ attempt: 0, seconds: 7 })
  })
})

test('a fault that says nothing of coming back ends, and can be tried again under the same key', async () => {
  const keys: string[] = []
  const failed: string[] = []
  let isWell = false
  const { queue, verdicts, until, first } = setUp({
    pause: async () => {},
    onFailed: ({ file, failure }) => failed.push(`${file.name} ${failure}`),
    send: async ({ item }) => {
      keys.push(item.idempotencyKey)
      if (!isWell) throw problem(500)
      return {}
    },
  })
  queue.add([{ file: bytes('a.png') }])
  await until(() => first()?.state === 'failed')
  expect(failed).toEqual(['a.png got 500'])
  expect(verdicts).toEqual([])
  isWell = true
  queue.retryAll()
  await until(() => first()?.state === 'stored')
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test('a lost response and a retry are one thing, and another name is another', async () => {
  const sent: { key: string; name: string }[] = []
  const { queue, until, first } = setUp({
    pause: async () => {},
    validate: async () => (files) => files.map(({ name }) => (name === 'wrong.png' ? [misnamed] : [])),
    send: async ({ item }: Sending) => {
      sent.push({ key: item.idempotencyKey, name: item.file.name })
      if (sent.length === 1) throw networkProblem()
      if (sent.length === 2) throw problem(409, { code: 'idempotency_in_progress' })
      if (sent.length === 4) throw problem(422, { violations: [misnamed] })
      return {}
    },
  })
  queue.add([{ file: bytes('a.png') }])
  await until(() => first()?.state === 'stored')
  queue.add([{ file: bytes('b.png') }])
  await until(() => queue.items[1]?.state === 'refused')
  queue.rename(queue.items[1]?.id ?? '', 'right.png')
  await until(() => queue.items[1]?.state === 'stored')
  const [one, two, three, refused, renamed] = sent.map(({ key }) => key)
  expect([two, three]).toEqual([one, one])
  expect(refused).not.toBe(renamed)
})

test('names are validated in slices, and every one that was proposed can be taken at once', async () => {
  const { queue, until, verdicts } = setUp({
    validate: async () => async (files) =>
      files.map(({ name }) => (name.startsWith('ok') ? [] : [{ ...misnamed, suggestion: `ok-${name}` }])),
  })
  queue.add(Array.from({ length: 200 }, (_, index) => ({ file: bytes(`${index}.png`) })))
  await until(() => totalsOf(queue.items).renamable === 200)
  queue.renameAll()
  await until(() => totalsOf(queue.items).stored === 200)
  expect(verdicts).toContain('ok-7.png stored')
})

test('the rules are loaded again when the network failed them', async () => {
  let asked = 0
  const { queue, until, first } = setUp({
    pause: async () => {},
    validate: async () => {
      asked += 1
      if (asked < 3) throw new Error('Loading chunk 7 failed.')
      return () => []
    },
  })
  queue.add([{ file: bytes('a.png') }])
  await until(() => first()?.state === 'stored')
  expect(asked).toBe(3)
})

test('what is renamed or taken back while its name is validated is not touched by the verdict on the old name', async () => {
  let respond = (_: (readonly Violation[])[]) => {}
  const asked: string[][] = []
  const { queue, until } = setUp({
    validate: async () => (files) => {
      asked.push(files.map(({ name }) => name))
      return asked.length > 1 ? files.map(() => []) : new Promise((resolve) => (respond = resolve))
    },
  })
  queue.add([{ file: bytes('old.png') }, { file: bytes('gone.png') }])
  await until(() => asked.length === 1)
  queue.rename(queue.items[0]?.id ?? '', 'new.png')
  queue.remove(queue.items[1]?.id ?? '')
  respond([[misnamed], [misnamed]])
  await until(() => totalsOf(queue.items).stored === 1)
  expect(queue.items.map(({ file, violations }) => [file.name, violations])).toEqual([['new.png', []]])
})

test('a session is opened once for all files, refused ones too', async () => {
  let opened = 0
  const { queue, until } = setUp({
    prepare: async () => {
      opened += 1
    },
    send: async () => {
      throw problem(422, { violations: [misnamed] })
    },
  })
  queue.add(['a.png', 'b.png', 'c.png', 'd.png'].map((name) => ({ file: bytes(name) })))
  await until(() => totalsOf(queue.items).refused === 4)
  expect(opened).toBe(1)
})

test('what is taken back is cancelled, and its place goes to the next', async () => {
  const started: string[] = []
  const reasons: unknown[] = []
  const { queue, until } = setUp({
    send: ({ item, signal }) =>
      new Promise((_resolve, reject) => {
        started.push(item.file.name)
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          reject(networkProblem())
        })
      }),
  })
  queue.add(['a', 'b', 'c', 'd'].map((name) => ({ file: bytes(`${name}.png`) })))
  await until(() => started.length === 3)
  queue.cancel(queue.items[0]?.id ?? '')
  await until(() => started.length === 4)
  expect(reasons).toEqual(['cancelled'])
  expect(queue.items[0]?.state).toBe('cancelled')
})

describe('folders', () => {
  test('are kept, so that equal names are distinguished', async () => {
    const { queue, until } = setUp()
    queue.add([
      { file: bytes('a.png'), relativePath: 'Spring/300x250/a.png' },
      { file: bytes('a.png'), relativePath: 'Spring/728x90/a.png' },
      { file: bytes('b.png'), relativePath: 'b.png' },
    ])
    await until(() => totalsOf(queue.items).stored === 3)
    expect(queue.items.map(({ folder }) => folder)).toEqual(['Spring/300x250', 'Spring/728x90', ''])
  })

  test('leave out what operating systems put there', () => {
    const { queue } = setUp()
    queue.add(
      ['x/.DS_Store', 'x/Thumbs.db', 'x/desktop.ini', 'x/__MACOSX/a.png', 'x/._a.png', 'x/a.png'].map(
        (relativePath) => ({ file: bytes(relativePath.split('/').at(-1) ?? ''), relativePath }),
      ),
    )
    expect(queue.items.map(({ file }) => file.name)).toEqual(['a.png'])
    expect(queue.leftOut).toBe(5)
  })

  test.each(['_.png', 'my.ds_store.png', 'thumbs.db.zip', 'macosx/a.png'])('but not %s', (name) => {
    expect(isSystemFile(name)).toBe(false)
  })
})
