/**
 * How a sandboxed process and the one that started it speak: one JSON message a line, requests on the child's stdin,
 * sends results on a pipe of its own. JSON, because what comes from a process that decodes untrusted bytes must not be able to do
 * more than be read, as `v8.deserialize` and Node's own IPC channel would let it. Bytes travel as base64.
 */

/** The descriptor on which the child sends results. */
export const RESULTS = 3
/** The descriptor from which a child that takes bytes reads them. */
export const BYTES = 4

/** The argument of a process that loads what its jobs may need before it is ready. */
export const LOAD_FIRST = '--load-first'

/** What a program can be asked: by the name of the job its request, its result, and what it reports before that. */
export type Jobs = Record<string, { request: unknown; result: unknown; progress?: unknown }>

/** To the child: one job at a time; notes at any time. */
export type ToChild = { type: 'job'; job: string; request: unknown } | { type: 'note'; note: unknown }

export type FromChild =
  /** It takes jobs. */
  | { type: 'ready' }
  | { type: 'progress'; progress: unknown }
  | { type: 'result'; result: unknown }
  /** It could not do the job, and can say why. */
  | { type: 'failed'; why: string }

/** A line from the child; null when it is no message. What is in a result is for the one who asked. */
export function parseMessage(line: string): FromChild | null {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message !== 'object' || message === null || !('type' in message)) return null
    const { type } = message
    if (type === 'ready') return { type }
    if (type === 'progress' && 'progress' in message) return { type, progress: message.progress }
    if (type === 'result' && 'result' in message) return { type, result: message.result }
    if (type === 'failed' && 'why' in message && typeof message.why === 'string') return { type, why: message.why }
    return null
  } catch {
    return null
  }
}
