import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { examine } from './examine'
import type { ChildMessage, ChildRequest } from './protocol'

/** The process that reads one file and ends. It is told what to read on stdin and answers on descriptor 3. */
const ANSWER = 3

function answer(message: ChildMessage): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`)
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(ANSWER, bytes, sent)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}

const lines = createInterface({ input: process.stdin })
let hasWork = false

lines.once('line', async (line) => {
  hasWork = true
  const request: ChildRequest = JSON.parse(line)
  // Frames are measured where they are decoded to the end anyway: each is decoded once for everything.
  const meter = request.decodeForMs === null ? new (await import('./media-meter')).MediaMeter() : undefined
  const inspection = await examine(request.path, {
    meter,
    extension: request.extension,
    decodeUntil: request.decodeForMs === null ? Number.POSITIVE_INFINITY : performance.now() + request.decodeForMs,
    onSniffed: (mediaType) => answer({ type: 'sniffed', mediaType }),
  })
  const measures = inspection.violations.length === 0 && inspection.complete ? meter?.finish() : undefined
  answer({ type: 'inspection', inspection: { ...inspection, measures } })
  process.exit(0)
})
// The parent is gone: nobody waits for an answer. A decoder that is busy ends by the cage's parent-death signal.
lines.once('close', () => {
  if (!hasWork) process.exit(0)
})
process.stdin.once('end', () => process.exit(0))

await Promise.all([import('./raster'), import('./media-decoder')])
answer({ type: 'ready' })
