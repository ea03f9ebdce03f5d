/** How V8 runs in the web processes. */
export const V8_FLAGS = [
  // Megabytes of a half of the young generation. What requests leave behind dies there; in V8's 16 it is scanned so
  // often that responses under way are taken for old, and a list serves a tenth fewer requests.
  '--max-semi-space-size=32',
  // For lib/http/release-buffers.ts, which has the reason.
  '--expose-gc',
  // Left to other threads, freed memory is counted as freed only when they get round to it, which beside the threads that
  // write and hash is too late: V8 marks the heap after all. And what survives is too little to be shared out.
  '--no-concurrent-array-buffer-sweeping',
  '--no-parallel-scavenge',
]
