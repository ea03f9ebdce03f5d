import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Node hands every 64 KiB of a body over in memory of their own, outside the heap. V8 counts them and, every 64 MB,
 * marks the whole heap to find which are free: with all of a web application in it, that costs as much as receiving
 * the bytes. They are all young; looking through the young generation alone frees them in a millisecond.
 */
const EVERY_BYTES = 12 * 1024 * 1024

setFlagsFromString('--expose-gc')
// Left to other threads, the freed memory is counted as freed only when they get round to it, which beside the threads
// that write and hash is too late: V8 marks the heap after all. And what survives is too little to be shared out.
setFlagsFromString('--no-concurrent-array-buffer-sweeping')
setFlagsFromString('--no-parallel-scavenge')
// Without it, memory is given back as V8 sees fit.
const collect = runInNewContext("typeof gc === 'function' ? gc : () => {}") as (options: { type: 'minor' }) => void

let spent = 0

/** Counts bytes of a body that nobody needs any more. */
export function spend(bytes: number): void {
  spent += bytes
  if (spent < EVERY_BYTES) return
  spent = 0
  collect({ type: 'minor' })
}
