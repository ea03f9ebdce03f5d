import { appendFileSync, renameSync, statSync } from 'node:fs'

const MAX_BYTES = 20 * 1024 * 1024
const GATHER_MS = 50

/**
 * Appends lines to a file and begins a new one at 20 MB, keeping the one before as FILE.1: a log never fills the disk.
 * Lines are gathered for a moment, so that a busy server does not cost a system call for each request.
 */
export class LogFile {
  private size: number
  private pending: string[] = []

  constructor(readonly path: string) {
    this.size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    process.once('exit', () => this.flush())
  }

  append(line: string) {
    if (this.pending.push(line) === 1) setTimeout(() => this.flush(), GATHER_MS).unref()
  }

  flush() {
    if (this.pending.length === 0) return
    const text = `${this.pending.splice(0).join('\n')}\n`
    if (this.size > MAX_BYTES) {
      renameSync(this.path, `${this.path}.1`)
      this.size = 0
    }
    appendFileSync(this.path, text, { mode: 0o600 })
    this.size += Buffer.byteLength(text)
  }
}
