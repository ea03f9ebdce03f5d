import { Worker } from 'node:worker_threads'

/** What the thread below understands: hash the file at `path` up to byte `upTo`, then perhaps report; or forget it. */
type Order = { id: number; path: string; upTo: number; finish: boolean } | { id: number; forget: true }
type Report = { id: number; sha256?: string; error?: string }

/** As text, not as a module, so that no bundler has to find a file for it. */
const THREAD = `
const { createHash } = require('node:crypto')
const { closeSync, openSync, readSync } = require('node:fs')
const { parentPort } = require('node:worker_threads')
const buffer = Buffer.allocUnsafe(128 * 1024)
const hashes = new Map()

function advance({ id, path, upTo, finish }) {
  if (!hashes.has(id)) hashes.set(id, { hash: createHash('sha256'), at: 0 })
  const state = hashes.get(id)
  const file = openSync(path, 'r')
  try {
    while (state.at < upTo) {
      const read = readSync(file, buffer, 0, Math.min(buffer.length, upTo - state.at), state.at)
      if (read === 0) throw new Error('The file ends at byte ' + state.at + ', not at ' + upTo + '.')
      state.hash.update(buffer.subarray(0, read))
      state.at += read
    }
  } finally {
    closeSync(file)
  }
  if (!finish) return
  hashes.delete(id)
  parentPort.postMessage({ id, sha256: state.hash.digest('hex') })
}

parentPort.on('message', (order) => {
  try {
    if (order.forget) hashes.delete(order.id)
    else advance(order)
  } catch (error) {
    hashes.delete(order.id)
    parentPort.postMessage({ id: order.id, error: String(error) })
  }
})
`

/** Steps smaller than this are not worth a message. */
const STEP_BYTES = 1024 * 1024

/**
 * SHA-256 of a file while it is being written, computed in another thread from the bytes that reached the file system:
 * it leaves the thread of the network free, and says what is stored rather than what was sent.
 */
export class FileHash {
  private readonly id = thread.nextId()
  private ordered = 0

  constructor(private readonly path: string) {}

  /** The first `upTo` bytes are in the file and will not change. */
  follow(upTo: number): void {
    if (upTo - this.ordered < STEP_BYTES) return
    this.ordered = upTo
    thread.order({ id: this.id, path: this.path, upTo, finish: false })
  }

  /** The hash of the first `size` bytes, in lower-case hex. */
  finish(size: number): Promise<string> {
    return thread.finish({ id: this.id, path: this.path, upTo: size, finish: true })
  }

  forget(): void {
    thread.order({ id: this.id, forget: true })
  }
}

/** The thread, started when first needed. It does not keep the process alive by itself, only while it is waited for. */
class HashThread {
  private worker: Worker | null = null
  private lastId = 0
  private readonly waiting = new Map<number, { resolve: (sha256: string) => void; reject: (error: Error) => void }>()

  nextId(): number {
    this.lastId += 1
    return this.lastId
  }

  order(order: Order): void {
    this.worker ??= this.start()
    this.worker.postMessage(order)
  }

  finish(order: Order): Promise<string> {
    return new Promise((resolve, reject) => {
      this.waiting.set(order.id, { resolve, reject })
      this.order(order)
      this.worker?.ref()
    })
  }

  private start(): Worker {
    const worker = new Worker(THREAD, { eval: true, execArgv: [], env: {} })
    worker.unref()
    worker.on('message', (report: Report) => this.hear(report))
    worker.on('error', () => {}) // its exit follows
    worker.on('exit', () => {
      this.worker = null
      for (const id of [...this.waiting.keys()]) this.hear({ id, error: 'The hashing thread ended.' })
    })
    return worker
  }

  private hear({ id, sha256, error }: Report): void {
    const waiting = this.waiting.get(id)
    this.waiting.delete(id)
    if (this.waiting.size === 0) this.worker?.unref()
    if (sha256 !== undefined) waiting?.resolve(sha256)
    else waiting?.reject(new Error(error))
  }
}

const thread = new HashThread()
