import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Failure } from '@/lib/checks/check'
import { spawnCaged } from '../inspector/cage'
import type { Answer, Request } from './protocol'

/** Two pictures in base64 stay far below; what is longer is not ours. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_RESIDENT_BYTES = 1280 * 1024 * 1024
const MEMORY_POLL_MS = 50
const PAGE_BYTES = 4096

/**
 * A process that decodes one file after the other, so that its start is paid for once. It is given up after a crash, a
 * file that took too much, or a full round: whatever a hostile file did to it goes with it.
 */
export class MeasurerProcess {
  private readonly child: ChildProcess
  private pending = ''
  private errors = ''
  private hasExited = false
  private settle: ((answer: Answer) => void) | undefined
  /** Files it has been given. */
  served = 0

  constructor() {
    this.child = spawnCaged('measurer')
    const answers = this.child.stdio[3] as Readable
    answers.setEncoding('utf8')
    answers.on('data', (text: string) => this.receive(text))
    this.child.stderr?.on('data', (bytes: Buffer) => {
      this.errors = (this.errors + bytes.toString('utf8')).slice(-2000)
    })
    // A process that has just died tells so by its end.
    this.child.stdin?.on('error', () => undefined)
    this.child.on('error', (error) => this.lose(error.message))
    this.child.on('close', () => this.lose(this.errors.trim()))
    this.keepsParentAlive(false)
  }

  get isAlive(): boolean {
    return !this.hasExited
  }

  /** Never rejects: that the process died is an answer, too. */
  ask(request: Request, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const refuse = (failed: string) => {
        this.kill()
        this.settle?.({ failed })
      }
      const clock = setTimeout(() => refuse(`the file took more than ${timeoutMs / 1000} s to decode`), timeoutMs)
      const watch = setInterval(() => {
        if (residentBytes(this.child.pid) > MAX_RESIDENT_BYTES) {
          refuse(`the file took more than ${MAX_RESIDENT_BYTES / 2 ** 20} MB of memory to decode`)
        }
      }, MEMORY_POLL_MS)
      this.settle = (answer) => {
        this.settle = undefined
        clearTimeout(clock)
        clearInterval(watch)
        this.keepsParentAlive(false)
        resolve(answer)
      }
      if (!this.isAlive) return this.settle(lost(this.errors))
      this.served += 1
      this.keepsParentAlive(true)
      this.child.stdin?.write(`${JSON.stringify(request)}\n`)
    })
  }

  kill(): void {
    this.hasExited = true
    const { pid } = this.child
    if (pid === undefined || this.child.exitCode !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group is gone already.
    }
  }

  private lose(why: string): void {
    this.hasExited = true
    this.settle?.(lost(why))
  }

  private receive(text: string): void {
    this.pending += text
    if (this.pending.length > MAX_ANSWER_BYTES) {
      this.kill()
      this.settle?.({ failed: 'the decoder gave an answer without end' })
      return
    }
    const end = this.pending.indexOf('\n')
    if (end < 0) return
    const line = this.pending.slice(0, end)
    this.pending = this.pending.slice(end + 1)
    this.settle?.(JSON.parse(line) as Answer)
  }

  private keepsParentAlive(does: boolean): void {
    const parts = [this.child, ...this.child.stdio] as ({ ref?: () => void; unref?: () => void } | null)[]
    for (const part of parts) does ? part?.ref?.() : part?.unref?.()
  }
}

function lost(why: string): Failure {
  const last = why.trim().split('\n').at(-1)
  return { failed: `the decoder ended without an answer${last ? ` (${last.slice(0, 200)})` : ''}` }
}

/** Resident memory by /proc; 0 where the system has none. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * PAGE_BYTES
  } catch {
    return 0
  }
}
