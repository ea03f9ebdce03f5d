import { serve } from '@/lib/sandbox/serve'
import { isRightChoice } from '../decode/decode-done'
import { examine } from '../formats/examine'
import { ArrivingFile } from './arriving-file'
import type { Arrived, InspectorJobs } from './protocol'

/** The program that reads a file to its end (protocol.ts). */
let arriving: ArrivingFile | undefined

await serve<InspectorJobs, Arrived>({
  prepare: () => Promise.all([import('../formats/image/raster'), import('../decode/media-decoder')]),
  onNote(note) {
    if ('path' in note) arriving = new ArrivingFile(note.path)
    else arriving?.note(note.upTo)
  },
  jobs: {
    async examine({ path, extension, decodeForMs, isQuick, done }, report) {
      // Frames are measured where they are decoded to the end anyway: each is decoded once for everything.
      const isMeasured = decodeForMs === null || isQuick
      const meter = isMeasured ? new (await import('./media-meter')).MediaMeter(isQuick) : undefined
      let measuredAhead: typeof done
      const inspection = await examine(path, {
        meter,
        keyFramesOnly: isQuick,
        extension,
        ahead: await arriving?.finish(),
        ...(done && {
          done: {
            decoded: done,
            onTaken(streams) {
              const video = streams.find(({ kind, isCover }) => kind === 'video' && !isCover)
              if (isRightChoice(done.places, video)) measuredAhead = done
            },
          },
        }),
        decodeUntil: decodeForMs === null ? Number.POSITIVE_INFINITY : performance.now() + decodeForMs,
        onSniffed: (mediaType) => report({ mediaType }),
      })
      const { violations, complete } = inspection
      const isIntact = violations.length === 0
      const measures = isIntact && (complete || isQuick) ? (measuredAhead?.measures ?? meter?.finish()) : undefined
      return { ...inspection, measures }
    },

    async decodeArriving({ path }) {
      return (await import('./decode-arriving')).decodeFromStart(path)
    },
  },
})
