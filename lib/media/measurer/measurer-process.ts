import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { spawnCaged } from '@/lib/sandbox/command'
import { type Overuse, watchUse } from '@/lib/sandbox/process-use'
import type { Failure } from '../measurements'
import type { Answer, Request } from './protocol'

/** Two pictures in base64 stay far below; what is longer is not ours. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_RESIDENT_BYTES = 1280 * 1024 * 1024
/** A decoder that uses no processor time for so long waits for something that never comes. */
const HUNG_MS = 5 * 60_000

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

  /**
   * Never rejects: that the process died is an answer, too. `cpuMs`: processor time it may use for this, waiting not
   * counted. A failure that may be the machine's, and not the file's, is marked `again`.
   */
  ask(request: Request, cpuMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const refuse = (why: Overuse) => {
        this.kill()
        this.settle?.({ failed: sentenceFor(why, cpuMs), again: true })
      }
      const endWatch = watchUse(this.child.pid, { cpuMs, idleMs: HUNG_MS, maxBytes: MAX_RESIDENT_BYTES }, refuse)
      this.settle = (answer) => {
        this.settle = undefined
        endWatch()
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

const sentenceFor = (why: Overuse, cpuMs: number) =>
  ({
    out_of_time: `the file took more than ${cpuMs / 1000} s of processor time to decode`,
    hung: 'its decoder stopped responding',
    out_of_memory: `the file took more than ${MAX_RESIDENT_BYTES / 2 ** 20} MB of memory to decode`,
  })[why]

function lost(why: string): Failure {
  const last = why.trim().split('\n').at(-1)
  return { failed: `the decoder ended without an answer${last ? ` (${last.slice(0, 200)})` : ''}`, again: true }
}
