import { appendFileSync, renameSync, statSync } from 'node:fs'

const MAX_BYTES = 20 * 1024 * 1024
const GATHER_MS = 50
/** Lines kept while the disk takes none; the oldest go first. */
const MOST_PENDING = 10_000

/**
 * Appends lines to a file and begins a new one at 20 MB, keeping the one before as FILE.1: a log never fills the disk.
 * Lines are gathered for a moment, so that a busy server does not cost a system call for each request.
 *
 * Never throws: a full disk must not end what is only reported on. What could not be written is tried again with the
 * next line; `onTrouble` is called at the first failure, and again once lines are written (null).
 */
export class LogFile {
  private size: number
  private pending: string[] = []
  private dropped = 0
  private failing = false

  constructor(
    readonly path: string,
    private readonly onTrouble: (code: string | null) => void = () => undefined,
    private readonly files = { appendFileSync, renameSync },
  ) {
    this.size = sizeOf(path)
    process.once('exit', () => this.flush())
  }

  append(line: string) {
    if (this.pending.push(line) > MOST_PENDING) {
      this.pending.shift()
      this.dropped += 1
    }
    if (this.pending.length === 1 || this.failing) setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  flush() {
    if (this.pending.length === 0) return
    const lines = this.dropped > 0 ? [lossOf(this.dropped), ...this.pending] : this.pending
    // What was cut short before ends first, so that the lines after it stand by themselves.
    const text = `${this.failing && this.size > 0 ? '\n' : ''}${lines.join('\n')}\n`
    try {
      if (this.size > MAX_BYTES) {
        this.files.renameSync(this.path, `${this.path}.1`)
        this.size = 0
      }
      this.files.appendFileSync(this.path, text, { mode: 0o600 })
    } catch (error) {
      this.size = sizeOf(this.path)
      if (!this.failing) this.onTrouble((error as NodeJS.ErrnoException).code ?? String(error))
      this.failing = true
      return
    }
    this.pending = []
    this.dropped = 0
    this.size += Buffer.byteLength(text)
    if (this.failing) this.onTrouble(null)
    this.failing = false
  }
}

/** In the form of the other lines, so that programs that read the log can read this one. */
function lossOf(lines: number): string {
  return JSON.stringify({
    level: 40,
    time: new Date().toISOString(),
    lines,
    msg: 'lines were lost: the log could not be written',
  })
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
