import { type ChildProcess, spawn } from 'node:child_process'
import type { Printable } from '@/lib/pdf/printable'
import { cagedCommand, readerEnvironment } from '@/lib/sandbox/command'
import { stepBack } from '@/lib/sandbox/priority'

/** Drawing is patient work: whoever waits for a page of the product goes first. */
const PRIORITY = 5

type Answer = { pdf: Uint8Array } | { failed: string }

/** A process that draws one document after the other, so that its start and the typefaces are paid for once. */
export class PrinterProcess {
  private readonly child: ChildProcess
  private settle: ((answer: Answer) => void) | undefined
  private errors = ''
  isAlive = true

  constructor() {
    const { command, args, cwd } = cagedCommand('printer')
    this.child = spawn(command, args, {
      cwd,
      // Nothing of the server's configuration: no secret, no address.
      // A long document is many small objects: with room for the young ones, collecting them costs half.
      env: { ...readerEnvironment(), NODE_OPTIONS: '--max-semi-space-size=64' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    this.child.on('message', (answer) => this.settle?.(answer as Answer))
    this.child.stderr?.on('data', (bytes: Buffer) => {
      this.errors = (this.errors + bytes.toString('utf8')).slice(-2000)
    })
    this.child.on('error', (error) => this.lose(error.message))
    this.child.on('close', () => this.lose(this.errors.trim()))
    if (this.child.pid !== undefined) stepBack(this.child.pid, PRIORITY)
    this.keepsParentAlive(false)
  }

  /** Never rejects: that the process died, or took too long, is an answer, too. */
  print(document: Printable, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const clock = setTimeout(() => {
        this.kill()
        this.settle?.({ failed: `it took more than ${timeoutMs / 1000} s` })
      }, timeoutMs)
      this.settle = (answer) => {
        this.settle = undefined
        clearTimeout(clock)
        this.keepsParentAlive(false)
        resolve(answer)
      }
      if (!this.isAlive) return this.lose(this.errors)
      this.keepsParentAlive(true)
      this.child.send(document, (error) => error && this.lose(error.message))
    })
  }

  kill(): void {
    this.isAlive = false
    this.child.kill('SIGKILL')
  }

  private lose(why: string): void {
    this.isAlive = false
    const last = why.trim().split('\n').at(-1)
    this.settle?.({ failed: `the process ended without an answer${last ? ` (${last.slice(0, 200)})` : ''}` })
  }

  private keepsParentAlive(does: boolean): void {
    const pipe = this.child.stderr as (NodeJS.ReadableStream & { ref?: () => void; unref?: () => void }) | null
    for (const part of [this.child, this.child.channel, pipe]) does ? part?.ref?.() : part?.unref?.()
  }
}
