/**
 * Node hands every 64 KiB of a body over in memory of their own, outside the heap. V8 counts them and, every 64 MB,
 * marks the whole heap to find which are free: with all of a web application in it, that costs as much as receiving
 * the bytes. They are all young; collecting the young generation alone frees them in a millisecond.
 */
const EVERY_BYTES = 12 * 1024 * 1024

let received = 0

/**
 * Counts bytes of a body that have been used. Needs `--expose-gc`, with which the supervisor starts web processes; without
 * it, V8 gives the memory back when it sees fit.
 */
export function releaseBuffers(bytes: number): void {
  received += bytes
  if (received < EVERY_BYTES) return
  received = 0
  globalThis.gc?.({ type: 'minor' })
}
