import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { Claim } from './claim'
import { LogFile } from './log-file'
import { asEvent, forScreen, say } from './screen'

const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 30_000
const STEADY_AFTER_MS = 60_000
const STOP_GRACE_MS = 20_000
const CRASHES_TOLERATED = 3

export type ChildOptions = {
  name: string
  args: string[]
  env: NodeJS.ProcessEnv
  logs: string
  claim: Claim
  dev: boolean
}

/**
 * A process of ours that is kept running: when it ends by itself it is started again, at first after half a second,
 * then after twice that and so on up to half a minute; a minute of steady work makes the next delay short again.
 */
export class Child {
  /** How often it has ended by itself since it was last steady. */
  failures = 0
  private readonly news = new EventEmitter<{ ready: []; ended: [] }>()
  private isReady = false
  private process: ChildProcess | undefined
  private stopping = false
  private timer: NodeJS.Timeout | undefined
  private readonly log: LogFile

  constructor(private readonly options: ChildOptions) {
    const file = path.join(options.logs, `${options.name}.log`)
    this.log = new LogFile(file, (code) =>
      say(
        code
          ? `${file} cannot be written (${code === 'ENOSPC' ? 'the disk is full' : code}); the ${options.name} process goes on.`
          : `${file} is written again.`,
      ),
    )
  }

  start() {
    const { name, args, env, claim } = this.options
    const startedAt = Date.now()
    // A session of its own: Ctrl-C reaches us alone and we decide the order. It notices by the channel when we are gone.
    const child = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    this.process = child
    if (child.pid) claim.addChild(child.pid)
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => this.pass(line, stream === child.stderr))
    }
    child.on('message', (message: { ready?: true }) => {
      if (!message.ready) return
      this.isReady = true
      this.news.emit('ready')
    })
    child.once('error', (error) => this.pass(error.message, true))
    child.once('exit', (code, signal) => {
      endGroup(child.pid)
      this.isReady = false
      if (this.stopping) return
      if (Date.now() - startedAt > STEADY_AFTER_MS) this.failures = 0
      const delay = Math.min(FIRST_DELAY_MS * 2 ** this.failures, LONGEST_DELAY_MS)
      this.failures += 1
      this.news.emit('ended')
      say(`The ${name} process ended (${signal ?? `code ${code}`}); starting it again in ${delay / 1000} s.`)
      this.timer = setTimeout(() => this.start(), delay)
    })
  }

  /**
   * Settles when it has said itself that it does its work. Rejects when it ended by itself `CRASHES_TOLERATED` times
   * before that, and with the signal's reason.
   */
  whenReady(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => settle(() => reject(signal.reason))
      const count = () => {
        if (this.failures < CRASHES_TOLERATED) return
        settle(() =>
          reject(new Error(`Greenroom does not become ready: the ${this.options.name} process keeps ending.`)),
        )
      }
      const settle = (end: () => void) => {
        this.news.off('ready', done).off('ended', count)
        signal.removeEventListener('abort', stop)
        end()
      }
      const done = () => settle(resolve)
      this.news.on('ready', done).on('ended', count)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      else if (this.isReady) done()
    })
  }

  /** Asks it to finish what it is doing and end; after twenty seconds it is ended. */
  async stop() {
    this.stopping = true
    clearTimeout(this.timer)
    const child = this.process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
    await gone
    clearTimeout(forced)
  }

  /** For a new start with other settings, such as a database that moved to another port. */
  async restart(env: NodeJS.ProcessEnv) {
    await this.stop()
    this.options.env = env
    this.stopping = false
    this.start()
  }

  private pass(line: string, isError: boolean) {
    this.log.append(asEvent(line, isError))
    const text = forScreen(this.options.name, line, isError, this.options.dev)
    if (text !== null) say(text)
  }
}

/** Whatever a process had started itself and left behind: it led a group of its own, and no other process is in that. */
function endGroup(pid: number | undefined) {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // None was left.
  }
}
