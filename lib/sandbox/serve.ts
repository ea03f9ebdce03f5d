import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { type FromChild, type Jobs, LOAD_FIRST, RESULTS, type ToChild } from './protocol'

const LONGEST_REASON = 400

const results = new Socket({ fd: RESULTS, readable: false, writable: true })

type Service<J extends Jobs, Note> = {
  jobs: {
    [K in keyof J]: (request: J[K]['request'], report: (progress: J[K]['progress']) => void) => Promise<J[K]['result']>
  }
  onNote?: (note: Note) => void
  /** Loads what jobs may need, where the process is started ahead of its first: that does not wait for it. */
  prepare?: () => Promise<unknown>
}

/** In a sandboxed process: does the jobs it is asked for, one at a time, until the one that started it is gone. */
export async function serve<J extends Jobs, Note = never>({ jobs, onNote, prepare }: Service<J, Note>): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', async (line) => {
    const message: ToChild = JSON.parse(line)
    if (message.type === 'note') return onNote?.(message.note as Note)
    const { job, request } = message
    try {
      const work = jobs[job]
      if (!work) throw new Error(`there is no job “${job}”`)
      send({ type: 'result', result: await work(request, (progress) => send({ type: 'progress', progress })) })
    } catch (error) {
      send({ type: 'failed', why: reasonOf(error, request) })
    }
  })
  // No caller waits for a result any more. A process that is too busy to hear of it is ended by the system (limits.ts).
  process.stdin.once('end', () => process.exit(0))
  if (process.argv.includes(LOAD_FIRST)) await prepare?.()
  send({ type: 'ready' })
}

/** One line that does not say where the file lies. */
function reasonOf(error: unknown, request: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const hasPath = typeof request === 'object' && request !== null && 'path' in request
  return (hasPath ? line.replaceAll(String(request.path), 'the file') : line).slice(0, LONGEST_REASON)
}

/** What has room in the pipe is written at once: a process that dies next has still said it. */
function send(message: FromChild): void {
  results.write(`${JSON.stringify(message)}\n`)
}
