import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { examine } from '../formats/examine'
import { ArrivingFile } from './arriving-file'
import type { ChildMessage, ChildOrder, ChildRequest } from './protocol'

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

let arriving: ArrivingFile | undefined

lines.on('line', (line) => {
  const order: ChildOrder = JSON.parse(line)
  if (order.type === 'follow') arriving = new ArrivingFile(order.path)
  else if (order.type === 'arrived') arriving?.note(order.upTo)
  else
    read(order).catch((error) => {
      answer({ type: 'unable', reason: String(error).slice(0, 500) })
      process.exit(1)
    })
})

async function read(request: ChildRequest) {
  hasWork = true
  // Frames are measured where they are decoded to the end anyway: each is decoded once for everything.
  const isMeasured = request.decodeForMs === null || request.isQuick
  const meter = isMeasured ? new (await import('./media-meter')).MediaMeter(request.isQuick) : undefined
  const inspection = await examine(request.path, {
    meter,
    keyFramesOnly: request.isQuick,
    extension: request.extension,
    ahead: await arriving?.finish(),
    decodeUntil: request.decodeForMs === null ? Number.POSITIVE_INFINITY : performance.now() + request.decodeForMs,
    onSniffed: (mediaType) => answer({ type: 'sniffed', mediaType }),
  })
  const measures =
    inspection.violations.length === 0 && (inspection.complete || request.isQuick) ? meter?.finish() : undefined
  answer({ type: 'inspection', inspection: { ...inspection, measures } })
  process.exit(0)
}

// The parent is gone: nobody waits for an answer. A decoder that is busy ends by the cage's parent-death signal.
lines.once('close', () => {
  if (!hasWork) process.exit(0)
})
process.stdin.once('end', () => process.exit(0))

await Promise.all([import('../formats/image/raster'), import('../decode/media-decoder')])
answer({ type: 'ready' })
