import {
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_DBLP,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  AV_SAMPLE_FMT_U8,
  AV_SAMPLE_FMT_U8P,
} from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import { closeStream, eachFrame, openStream } from '../decode/video'

/** How a sample is read, as -1..1. */
type Format = { bytes: number; isPlanar: boolean; read: (data: Buffer, at: number) => number }

const u8 = { bytes: 1, read: (data: Buffer, at: number) => ((data[at] ?? 128) - 128) / 128 }
const s16 = { bytes: 2, read: (data: Buffer, at: number) => data.readInt16LE(at) / 32_768 }
const s32 = { bytes: 4, read: (data: Buffer, at: number) => data.readInt32LE(at) / 2_147_483_648 }
const flt = { bytes: 4, read: (data: Buffer, at: number) => data.readFloatLE(at) }
const dbl = { bytes: 8, read: (data: Buffer, at: number) => data.readDoubleLE(at) }

const FORMATS = new Map<number, Format>([
  [AV_SAMPLE_FMT_U8, { ...u8, isPlanar: false }],
  [AV_SAMPLE_FMT_U8P, { ...u8, isPlanar: true }],
  [AV_SAMPLE_FMT_S16, { ...s16, isPlanar: false }],
  [AV_SAMPLE_FMT_S16P, { ...s16, isPlanar: true }],
  [AV_SAMPLE_FMT_S32, { ...s32, isPlanar: false }],
  [AV_SAMPLE_FMT_S32P, { ...s32, isPlanar: true }],
  [AV_SAMPLE_FMT_FLT, { ...flt, isPlanar: false }],
  [AV_SAMPLE_FMT_FLTP, { ...flt, isPlanar: true }],
  [AV_SAMPLE_FMT_DBL, { ...dbl, isPlanar: false }],
  [AV_SAMPLE_FMT_DBLP, { ...dbl, isPlanar: true }],
])

/** The samples of a decoded frame as -1..1, one array per channel. Throws on a form of samples that is not read. */
export function floatSamples(frame: Frame): Float32Array[] {
  const format = FORMATS.get(frame.format as number)
  const planes = frame.data
  if (!format || !planes) throw new Error('the samples have a form that is not read')
  const { channels, nbSamples } = frame
  const isFloat = frame.format === AV_SAMPLE_FMT_FLTP
  return Array.from({ length: channels }, (_, channel) => {
    const plane = planes[format.isPlanar ? channel : 0]
    const samples = new Float32Array(nbSamples)
    if (!plane) return samples
    if (isFloat) {
      // The form nearly every decoder gives; byte by byte takes longer than decoding it.
      new Uint8Array(samples.buffer).set(plane.subarray(0, samples.byteLength))
      return samples
    }
    const [step, first] = format.isPlanar ? [format.bytes, 0] : [format.bytes * channels, channel * format.bytes]
    for (let at = 0, from = first; at < nbSamples; at++, from += step) samples[at] = format.read(plane, from)
    return samples
  })
}

/** Shorter than a bar of any waveform that is drawn of a spot. */
const STRETCH_SECONDS = 0.02

/** The loudest sample of each of `bars` equal stretches of the first audio track, 0..1, whichever channel it is on. */
export function measurePeaks(path: string, mediaType: string, bars: number): number[] {
  const opened = openStream(path, mediaType, 'audio')
  const peaks: number[] = []
  let elapsed = 0
  try {
    eachFrame(opened, (frame) => {
      const peak = loudest(frame)
      const first = Math.floor(elapsed / STRETCH_SECONDS)
      elapsed += frame.nbSamples / Math.max(1, frame.sampleRate)
      // A frame of MP3 is longer than a stretch: it stands for all that it covers.
      for (let stretch = first; stretch * STRETCH_SECONDS < elapsed; stretch++) {
        peaks[stretch] = Math.max(peaks[stretch] ?? 0, peak)
      }
      return false
    })
  } finally {
    closeStream(opened)
  }
  return Array.from({ length: bars }, (_, bar) => {
    const first = Math.floor((bar * peaks.length) / bars)
    const last = Math.max(first + 1, Math.floor(((bar + 1) * peaks.length) / bars))
    return Math.min(1, Math.max(0, ...peaks.slice(first, last)))
  })
}

function loudest(frame: Frame): number {
  const format = FORMATS.get(frame.format as number)
  if (!format) throw new Error('the samples have a form that is not read')
  const perPlane = frame.nbSamples * (format.isPlanar ? 1 : frame.channels)
  let peak = 0
  for (const plane of frame.data ?? []) {
    const samples = Math.min(perPlane, Math.floor(plane.length / format.bytes))
    for (let sample = 0; sample < samples; sample++) {
      const level = Math.abs(format.read(plane, sample * format.bytes))
      if (level > peak) peak = level
    }
  }
  return peak
}

/** Peaks as an SVG of bars on a transparent ground, in a grey that stands out from light and dark pages alike. */
export function drawPeaks(peaks: readonly number[], width: number, height: number): string {
  const step = width / peaks.length
  const bars = peaks.map((peak, index) => {
    const tall = Math.max(2, peak * (height - 16))
    const x = (index * step + step * 0.2).toFixed(2)
    const y = ((height - tall) / 2).toFixed(2)
    return `<rect x="${x}" y="${y}" width="${(step * 0.6).toFixed(2)}" height="${tall.toFixed(2)}" rx="${(step * 0.3).toFixed(2)}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="#7c8598">${bars.join('')}</svg>`
}
