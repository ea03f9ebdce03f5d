import { writeSync } from 'node:fs'

/** So many bytes leave together; less waits for the next `flush`. */
const WRITE_BYTES = 8 * 1024
/** Lines beyond this are dropped while nothing can be written. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Where pino writes its lines: a file descriptor, some lines a system call. It never throws and never waits: what cannot
 * be written now (a full disk, a full pipe) stays in memory and is tried again; what has no reader any more is dropped.
 *
 * Ours, because sonic-boom 4.2.1, pino's own, tries again for ever in `flushSync`, asleep for 100 ms each time: a web
 * process whose supervisor had been killed neither served nor ended.
 */
export class LogOutput {
  private waiting: Buffer[] = []
  private bytes = 0
  /** Since the last write was refused: only `flush` tries again, not each line. */
  private isBlocked = false

  constructor(private readonly fd: number) {}

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.bytes + bytes.length > MOST_BYTES) return
    this.waiting.push(bytes)
    this.bytes += bytes.length
    if (this.bytes >= WRITE_BYTES && !this.isBlocked) this.flush()
  }

  flush(): void {
    let rest = Buffer.concat(this.waiting)
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') rest = Buffer.alloc(0)
    }
    this.waiting = rest.length > 0 ? [rest] : []
    this.bytes = rest.length
    this.isBlocked = rest.length > 0
  }
}
