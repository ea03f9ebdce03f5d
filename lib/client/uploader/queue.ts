import { v4 as uuid } from 'uuid'
import type { Violation } from '@/lib/domain/kernel/errors'
import { ApiProblem } from '../api'
import { isOnItsWay, newItem, proposedName, type UploadItem } from './upload-item'

export type NewFile = { file: File; relativePath?: string }
/** What is wrong with each of the files, in their order. */
export type Validate = (
  files: readonly { name: string; size: number }[],
) => readonly (readonly Violation[])[] | Promise<readonly (readonly Violation[])[]>

export type Sending = {
  item: UploadItem
  onProgress: (sentBytes: number) => void
  /** Aborted with the reason `'cancelled'` when the person takes the file back: what was sent may go. */
  signal: AbortSignal
}

export type QueueOptions = {
  /** Gives what validates by name and size before anything is sent. Asked again when it fails. */
  validate: () => Promise<Validate>
  send: (sending: Sending) => Promise<unknown>
  /** Before the first file of a visit: opening a session, say. */
  prepare?: () => Promise<unknown>
  /** Waits before the next attempt, at least `seconds`; ends early when the network is back. */
  pause: (attempt: number, seconds: number) => Promise<void>
  /** A file has a verdict: stored, refused, or misnamed. */
  onVerdict?: (item: UploadItem) => void
  /** A file did not arrive, and is not tried again by itself. */
  onFailed?: (item: UploadItem) => void
  /** A file was taken off the list, or is validated anew under another name. */
  onDropped?: (item: UploadItem) => void
}

const AT_ONCE = 3
/** A fault of the server that says nothing of coming back may be a bug: it is not tried for ever. */
const MOST_FAULTS = 4
/** Names that are validated at once. */
const SLICE = 100
const NOTIFY_MS = 100
const SPEED_WINDOW_MS = 4000
/** Without a byte for so long the connection is dead, whatever the browser believes. */
const STALLED_MS = 45_000
/** The server responds within INTEGRITY_WAIT, and has a queue before it. */
const UNANSWERED_MS = 300_000

type Run = { attempt: AbortController; samples: { at: number; bytes: number }[]; movedAt: number }

/** What an operating system leaves in folders. It is not meant to be delivered. */
export function isSystemFile(path: string): boolean {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  return parts.includes('__MACOSX') || name.startsWith('._') || /^(\.ds_store|thumbs\.db|desktop\.ini)$/i.test(name)
}

/** What is being uploaded, three at a time. Knows nothing of React: a hook subscribes to it. */
export class UploadQueue {
  /** As of the last change that was reported. */
  items: readonly UploadItem[] = []
  /** How many files of the operating system were left out. */
  leftOut = 0
  private readonly all = new Map<string, UploadItem>()
  private readonly runs = new Map<string, Run>()
  private unvalidated: string[] = []
  private isValidating = false
  private prepared: Promise<unknown> | undefined
  private notifying: ReturnType<typeof setTimeout> | undefined
  private ticking: ReturnType<typeof setInterval> | undefined

  private readonly listeners = new Set<() => void>()

  constructor(public options: QueueOptions) {}

  /** Calls back after each change of `items`; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  readonly current = () => this.items

  add(files: readonly NewFile[]) {
    const meant = files.filter(({ file, relativePath }) => !isSystemFile(relativePath ?? file.name))
    this.leftOut += files.length - meant.length
    for (const { file, relativePath = '' } of meant) {
      const folder = relativePath.slice(0, Math.max(0, relativePath.lastIndexOf('/')))
      this.put(newItem(uuid(), file, folder))
    }
    void this.validateNames()
    this.notify()
  }

  /** The same bytes under another name. */
  rename(id: string, name: string) {
    const item = this.all.get(id)
    if (!item || isOnItsWay(item)) return
    this.options.onDropped?.(item)
    const file = new File([item.file], name, { type: item.file.type, lastModified: item.file.lastModified })
    this.put(newItem(id, file, item.folder))
    void this.validateNames()
    this.notify()
  }

  /** Accepts every name that was proposed. */
  renameAll() {
    for (const item of [...this.all.values()]) {
      const name = proposedName(item)
      if (name) this.rename(item.id, name)
    }
  }

  /** Sends again what has no verdict, under the same key: should the first have arrived, its response comes back. */
  retry(id: string) {
    if (this.all.get(id)?.state !== 'failed') return
    this.update(id, { state: 'waiting', failure: null })
    this.pump()
    this.notify()
  }

  retryAll() {
    for (const { id, state } of [...this.all.values()]) if (state === 'failed') this.retry(id)
  }

  cancel(id: string) {
    const item = this.all.get(id)
    if (!item || !(isOnItsWay(item) || item.state === 'new')) return
    this.update(id, { state: 'cancelled', speed: null })
    this.runs.get(id)?.attempt.abort('cancelled')
    this.pump()
    this.notify()
  }

  remove(id: string) {
    const item = this.all.get(id)
    if (!item) return
    this.cancel(id)
    this.all.delete(id)
    this.options.onDropped?.(item)
    this.notify()
  }

  /** What is under way was cut off: it is tried again without waiting for time limits. */
  interrupt() {
    for (const { attempt } of this.runs.values()) attempt.abort('interrupted')
  }

  private put(item: UploadItem) {
    this.all.set(item.id, item)
    this.unvalidated.push(item.id)
  }

  /** A slice at a time, so that a thousand names leave room for the screen. */
  private async validateNames() {
    if (this.isValidating) return
    this.isValidating = true
    while (this.unvalidated.length > 0) {
      const items = this.unvalidated
        .splice(0, SLICE)
        .flatMap((id) => this.all.get(id) ?? [])
        .filter(({ state }) => state === 'new')
      const found = await this.validate(items)
      for (const [index, { id, file }] of items.entries()) {
        // Taken back, or renamed, meanwhile.
        const now = this.all.get(id)
        if (now?.state !== 'new' || now.file !== file) continue
        const violations = found[index] ?? []
        const validated = this.update(id, { violations, state: violations.length > 0 ? 'misnamed' : 'waiting' })
        if (validated?.state === 'misnamed') this.options.onVerdict?.(validated)
      }
      this.pump()
      await new Promise((resolve) => setTimeout(resolve))
    }
    this.isValidating = false
    this.pump()
    this.notify()
  }

  private async validate(items: readonly UploadItem[]): Promise<readonly (readonly Violation[])[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        const validate = await this.options.validate()
        return await validate(items.map(({ file }) => ({ name: file.name, size: file.size })))
      } catch {
        await this.options.pause(attempt, 0)
      }
    }
  }

  private pump() {
    let free = AT_ONCE - this.runs.size
    for (const item of this.all.values()) {
      if (free <= 0) return
      if (item.state !== 'waiting' || this.runs.has(item.id)) continue
      free -= 1
      void this.run(item.id)
    }
  }

  private async run(id: string) {
    let faults = 0
    let waits = 0
    this.ticking ??= setInterval(() => this.tick(), 1000)
    for (;;) {
      const run: Run = { attempt: new AbortController(), samples: [], movedAt: performance.now() }
      this.runs.set(id, run)
      const item = this.update(id, { state: 'sending', failure: null })
      if (!item) break
      const before = item.sentBytes
      try {
        await this.prepare()
        const response = await this.options.send({
          item,
          signal: run.attempt.signal,
          onProgress: (sentBytes) => this.progress(id, run, sentBytes),
        })
        const stored = this.update(id, {
          state: 'stored',
          sentBytes: item.file.size,
          speed: null,
          ...storedFile(response),
        })
        if (stored) this.options.onVerdict?.(stored)
        break
      } catch (error) {
        const now = this.all.get(id)
        if (!now || now.state === 'cancelled') break
        const problem = problemOf(error, run.attempt.signal)
        if (problem && (isPassing(problem) || (problem.isTransient && ++faults < MOST_FAULTS))) {
          if (now.sentBytes > before) waits = 0
          this.update(id, { state: 'retrying', speed: null, failure: problem.detail })
          await this.options.pause(waits++, problem.retryAfterSeconds ?? 0)
          continue
        }
        const violations = Array.isArray(problem?.body.violations) ? (problem.body.violations as Violation[]) : []
        const failure = problem?.detail ?? 'Something went wrong in this browser. Try the file again.'
        const ended = this.update(id, {
          speed: null,
          ...(violations.length > 0 ? { state: 'refused', violations } : { state: 'failed', failure }),
        })
        if (ended) (ended.state === 'refused' ? this.options.onVerdict : this.options.onFailed)?.(ended)
        break
      }
    }
    this.runs.delete(id)
    if (this.runs.size === 0) {
      clearInterval(this.ticking)
      this.ticking = undefined
    }
    this.pump()
    this.notify()
  }

  /** Once for all files; again only when it failed. */
  private async prepare() {
    this.prepared ??= this.options.prepare?.() ?? Promise.resolve()
    try {
      await this.prepared
    } catch (error) {
      this.prepared = undefined
      throw error
    }
  }

  /** The next file begins a visit of its own. */
  endVisit() {
    this.prepared = undefined
  }

  private progress(id: string, run: Run, sentBytes: number) {
    const at = performance.now()
    run.movedAt = at
    run.samples.push({ at, bytes: sentBytes })
    const { state, file } = this.all.get(id) ?? {}
    if (!file || (state !== 'sending' && state !== 'validating')) return
    this.update(id, { sentBytes, state: sentBytes >= file.size ? 'validating' : 'sending' })
  }

  /** What no event reports: speeds that no longer hold, connections that died in silence. */
  private tick() {
    const now = performance.now()
    for (const [id, run] of this.runs) {
      const item = this.all.get(id)
      if (!item || item.state === 'retrying') continue
      const limit = item.state === 'validating' ? UNANSWERED_MS : STALLED_MS
      if (now - run.movedAt > limit) run.attempt.abort('interrupted')
      run.samples = run.samples.filter(({ at }) => now - at < SPEED_WINDOW_MS)
      const [first] = run.samples
      const last = run.samples.at(-1)
      const speed =
        first && last && last.at - first.at >= 500 ? ((last.bytes - first.bytes) / (now - first.at)) * 1000 : null
      if (speed !== item.speed) this.update(id, { speed: item.state === 'sending' ? speed : null })
    }
  }

  private update(id: string, change: Partial<UploadItem>): UploadItem | undefined {
    const item = this.all.get(id)
    if (!item || item.state === 'cancelled') return undefined
    const changed = { ...item, ...change }
    this.all.set(id, changed)
    this.notifying ??= setTimeout(() => this.notify(), NOTIFY_MS)
    return changed
  }

  private notify() {
    clearTimeout(this.notifying)
    this.notifying = undefined
    this.items = [...this.all.values()]
    for (const listener of [...this.listeners]) listener()
  }
}

const LOST = 'The connection was lost on the way.'
export const networkProblem = () => new ApiProblem({ status: 0, code: 'network', detail: LOST })

function problemOf(error: unknown, signal: AbortSignal): ApiProblem | null {
  if (error instanceof ApiProblem) return error
  return signal.aborted ? networkProblem() : null
}

/** What ends by itself, however long it takes: no response, too much at once, no room, the first attempt still runs. */
const isPassing = ({ status, code }: ApiProblem) =>
  [0, 423, 429, 502, 503, 504, 507].includes(status) ||
  code === 'idempotency_in_progress' ||
  code === 'upload_offset_conflict'

/** Staff get the file itself, links get it inside `file`. */
function storedFile(response: unknown): { version: number | null; sha256: string | null } {
  const outer = (response ?? {}) as { file?: unknown }
  const { version, sha256 } = (outer.file ?? outer) as { version?: unknown; sha256?: unknown }
  return { version: typeof version === 'number' ? version : null, sha256: typeof sha256 === 'string' ? sha256 : null }
}
