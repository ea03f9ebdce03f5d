import { appendFileSync, renameSync, statSync } from 'node:fs'

const MAX_BYTES = 20 * 1024 * 1024

/** Appends to a file and begins a new one at 20 MB, keeping the one before as FILE.1: a log never fills the disk. */
export class LogFile {
  private size: number

  constructor(readonly path: string) {
    this.size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  append(line: string) {
    const text = `${line}\n`
    if (this.size > MAX_BYTES) {
      renameSync(this.path, `${this.path}.1`)
      this.size = 0
    }
    appendFileSync(this.path, text, { mode: 0o600 })
    this.size += Buffer.byteLength(text)
  }
}
