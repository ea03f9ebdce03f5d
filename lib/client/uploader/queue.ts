import type { Violation } from '@/lib/domain/kernel/errors'
import type { NameVerdict } from '@/lib/domain/naming/judge-name'
import { toCsv } from '@/lib/http/csv'
import { ApiProblem } from '../api'

/**
 * misnamed: refused before a byte was sent, can be renamed; waiting, sending, judging: on its way; stored, refused:
 * the server's verdict; failed: no verdict, can be tried again; cancelled: taken back by the person.
 */
export type UploadState = 'misnamed' | 'waiting' | 'sending' | 'judging' | 'stored' | 'refused' | 'failed' | 'cancelled'

export type UploadItem = {
  id: string
  file: File
  state: UploadState
  sentBytes: number
  /** When the first byte left; milliseconds. */
  startedAt: number | null
  violations: readonly Violation[]
  /** The name part by part, when the name is what is wrong. */
  verdict: NameVerdict | null
  /** Why it failed. */
  failure: string | null
  version: number | null
  sha256: string | null
}

export type Judgement = { violations: readonly Violation[]; verdict: NameVerdict | null }

export type QueueOptions = {
  /** Judges by name and size, before anything is sent. */
  judge: (file: { name: string; size: number }) => Judgement
  send: (file: File, sending: { onProgress: (sentBytes: number) => void; signal: AbortSignal }) => Promise<unknown>
  /** Before the first file of a visit: opening a session, say. */
  prepare?: () => Promise<void>
  onStored?: () => void
  onChange: () => void
}

const AT_ONCE = 3
const RETRY_DELAYS_MS = [1000, 4000]

/** What is being uploaded, three at a time. Knows nothing of React: a hook listens to `onChange`. */
export class UploadQueue {
  items: readonly UploadItem[] = []
  private readonly controllers = new Map<string, AbortController>()
  private prepared: Promise<void> | undefined
  private serial = 0

  constructor(public options: QueueOptions) {}

  add(files: readonly File[]) {
    this.items = [...this.items, ...files.map((file) => this.newItem(file))]
    this.changed()
    this.pump()
  }

  /** The same bytes under the name that was proposed. */
  rename(id: string, name: string) {
    const item = this.items.find((each) => each.id === id)
    if (!item) return
    const file = new File([item.file], name, { type: item.file.type, lastModified: item.file.lastModified })
    this.items = this.items.map((each) => (each.id === id ? this.newItem(file) : each))
    this.changed()
    this.pump()
  }

  retry(id: string) {
    this.update(id, { state: 'waiting', sentBytes: 0, startedAt: null, failure: null, violations: [] })
    this.pump()
  }

  cancel(id: string) {
    this.controllers.get(id)?.abort()
    this.update(id, { state: 'cancelled' })
    this.pump()
  }

  remove(id: string) {
    this.controllers.get(id)?.abort()
    this.items = this.items.filter((item) => item.id !== id)
    this.changed()
  }

  private newItem(file: File): UploadItem {
    const { violations, verdict } = this.options.judge({ name: file.name, size: file.size })
    this.serial += 1
    return {
      id: `upload-${this.serial}`,
      file,
      state: violations.length > 0 ? 'misnamed' : 'waiting',
      sentBytes: 0,
      startedAt: null,
      violations,
      verdict,
      failure: null,
      version: null,
      sha256: null,
    }
  }

  private pump() {
    const running = this.items.filter((item) => item.state === 'sending' || item.state === 'judging').length
    const next = this.items.filter((item) => item.state === 'waiting').slice(0, Math.max(0, AT_ONCE - running))
    for (const item of next) void this.run(item)
  }

  private async run({ id, file }: UploadItem) {
    const controller = new AbortController()
    this.controllers.set(id, controller)
    this.update(id, { state: 'sending', startedAt: Date.now() })
    for (let attempt = 0; ; attempt++) {
      try {
        this.prepared ??= this.options.prepare?.() ?? Promise.resolve()
        await this.prepared
        const answer = await this.options.send(file, {
          signal: controller.signal,
          onProgress: (sentBytes) =>
            this.update(id, { sentBytes, state: sentBytes >= file.size ? 'judging' : 'sending' }),
        })
        this.update(id, { state: 'stored', sentBytes: file.size, ...storedFile(answer) })
        this.options.onStored?.()
        break
      } catch (error) {
        this.prepared = undefined
        if (controller.signal.aborted) break
        const problem = error instanceof ApiProblem ? error : null
        const delay = RETRY_DELAYS_MS[attempt]
        if (problem?.isTransient && delay !== undefined) {
          await new Promise((resolve) => setTimeout(resolve, (problem.retryAfterSeconds ?? 0) * 1000 || delay))
          if (controller.signal.aborted) break
          continue
        }
        const violations = Array.isArray(problem?.body.violations) ? (problem.body.violations as Violation[]) : []
        this.update(
          id,
          violations.length > 0
            ? { state: 'refused', violations }
            : {
                state: 'failed',
                failure: problem?.detail ?? 'Something went wrong in this browser. Try the file again.',
              },
        )
        break
      }
    }
    this.controllers.delete(id)
    this.pump()
  }

  private update(id: string, change: Partial<UploadItem>) {
    this.items = this.items.map((item) =>
      item.id === id && item.state !== 'cancelled' ? { ...item, ...change } : item,
    )
    this.changed()
  }

  private changed() {
    this.options.onChange()
  }
}

/** Staff get the file itself, links get it inside `file`. */
function storedFile(answer: unknown): { version: number | null; sha256: string | null } {
  const outer = (answer ?? {}) as { file?: unknown }
  const { version, sha256 } = (outer.file ?? outer) as { version?: unknown; sha256?: unknown }
  return { version: typeof version === 'number' ? version : null, sha256: typeof sha256 === 'string' ? sha256 : null }
}

export type Totals = {
  stored: number
  refused: number
  failed: number
  running: number
  bytes: number
  sentBytes: number
}

export function totalsOf(items: readonly UploadItem[]): Totals {
  const count = (...states: UploadState[]) => items.filter((item) => states.includes(item.state)).length
  const counted = items.filter((item) => item.state !== 'misnamed' && item.state !== 'cancelled')
  return {
    stored: count('stored'),
    refused: count('refused', 'misnamed'),
    failed: count('failed'),
    running: count('waiting', 'sending', 'judging'),
    bytes: counted.reduce((sum, item) => sum + item.file.size, 0),
    sentBytes: counted.reduce(
      (sum, item) => sum + (item.state === 'refused' || item.state === 'failed' ? item.file.size : item.sentBytes),
      0,
    ),
  }
}

/** What happened, for people who keep records. */
export function asCsv(items: readonly UploadItem[]): string {
  const rows = items.map((item) => [
    item.file.name,
    item.state,
    item.file.size,
    item.sha256 ?? null,
    item.violations.map(({ message }) => message).join(' ') || (item.failure ?? null),
  ])
  return toCsv([['file', 'result', 'bytes', 'sha256', 'reason'], ...rows])
}
