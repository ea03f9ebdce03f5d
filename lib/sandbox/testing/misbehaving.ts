import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { RESULTS } from '../protocol'
import { serve } from '../serve'

/** A program that does what it is asked to its sandbox. */
export type MisbehavingJobs = {
  echo: { request: { text: string; times?: number }; result: string; progress: number }
  fail: { request: { path: string }; result: null }
  /** What it finds around itself. */
  surroundings: {
    request: { file: string }
    result: { environment: string[]; limits: string; uid: number; interfaces: string[]; read: string; write: string }
  }
  connect: { request: { port: number }; result: string }
  crash: { request: { signal: NodeJS.Signals }; result: null }
  /** Dies by a fault where its process has done others. */
  crashAfterOthers: { request: null; result: string }
  exit: { request: { code: number; says: string }; result: null }
  spin: { request: null; result: null }
  wait: { request: null; result: null }
  eat: { request: null; result: null }
  eatHeap: { request: null; result: null }
  reserve: { request: { bytes: number }; result: number }
  flood: { request: { descriptor: 2 | 3 }; result: null }
  say: { request: { lines: string[] }; result: null }
  /** Sends its result, and then something that was not asked for. */
  sayLater: { request: { line: string }; result: null }
  /** Starts a process that goes on, and dies. */
  outlive: { request: null; result: null; progress: number }
}

const forever = () => new Promise<never>(() => setInterval(() => {}, 60_000))
const attempt = (work: () => unknown) => {
  try {
    work()
    return 'done'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}
const noted: string[] = []
let echoes = 0

await serve<MisbehavingJobs, string>({
  onNote: (note) => void noted.push(note),
  jobs: {
    async echo({ text, times = 1 }, report) {
      echoes += 1
      report(noted.length)
      return (noted.join('') + text).repeat(times)
    },
    async fail({ path }) {
      throw new Error(`${path} is no file of ours\nand this is the second line`)
    },
    async surroundings({ file }) {
      return {
        environment: Object.keys(process.env),
        limits: readFileSync('/proc/self/limits', 'utf8'),
        uid: process.getuid?.() ?? -1,
        interfaces: Object.keys(networkInterfaces()),
        read: attempt(() => readFileSync(file)),
        write: attempt(() => writeFileSync(file, 'changed')),
      }
    },
    connect: ({ port }) =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1', () => resolve('connected'))
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      }),
    crash({ signal }) {
      process.kill(process.pid, signal)
      return forever()
    },
    async crashAfterOthers() {
      if (echoes === 0) return 'fresh'
      process.kill(process.pid, 'SIGSEGV')
      return forever()
    },
    async exit({ code, says }) {
      writeSync(2, says)
      process.exit(code)
    },
    async spin() {
      for (;;);
    },
    wait: forever,
    async eat() {
      for (const held: Buffer[] = []; ; ) held.push(Buffer.alloc(16 * 2 ** 20, 1))
    },
    async eatHeap() {
      for (const held: object[] = []; ; ) held.push(Array.from({ length: 1000 }, () => ({ held })))
    },
    async reserve({ bytes }) {
      return new ArrayBuffer(bytes).byteLength
    },
    async flood({ descriptor }) {
      for (const bytes = Buffer.alloc(64 * 1024, 'x'); ; ) attempt(() => writeSync(descriptor, bytes))
    },
    async say({ lines }) {
      for (const line of lines) writeSync(RESULTS, `${line}\n`)
      return forever()
    },
    async sayLater({ line }) {
      setTimeout(() => writeSync(RESULTS, `${line}\n`), 50)
      return null
    },
    async outlive(_, report) {
      report(spawn('sleep', ['600'], { stdio: 'inherit' }).pid ?? 0)
      process.kill(process.pid, 'SIGKILL')
      return forever()
    },
  },
})
