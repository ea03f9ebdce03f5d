import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { PDFDocument, PDFName, rgb } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { encode } from 'uqr'
import { writeFilm } from '@/lib/checks/measure/testing-film'

/**
 * Files whose fault is known because they were made with it, by other tools than the engine measures with: films painted
 * pixel by pixel and coded by x264, sounds written as PCM after the formulas of the standards' own test signals.
 */
export type Labelled = {
  file: string
  check: string
  isFaulty: boolean
  thresholds?: Record<string, unknown>
}

const RATE = 48_000
type Sample = (time: number, channel: number) => number

/** PCM of 16 bits, little endian, RIFF. */
export function writeSound(file: string, seconds: number, sample: Sample, channels = 2): void {
  const frames = Math.round(seconds * RATE)
  const data = Buffer.alloc(44 + frames * channels * 2)
  data.write('RIFF', 0)
  data.writeUInt32LE(36 + frames * channels * 2, 4)
  data.write('WAVEfmt ', 8)
  data.writeUInt32LE(16, 16)
  data.writeUInt16LE(1, 20)
  data.writeUInt16LE(channels, 22)
  data.writeUInt32LE(RATE, 24)
  data.writeUInt32LE(RATE * channels * 2, 28)
  data.writeUInt16LE(channels * 2, 32)
  data.writeUInt16LE(16, 34)
  data.write('data', 36)
  data.writeUInt32LE(frames * channels * 2, 40)
  for (let frame = 0, at = 44; frame < frames; frame++) {
    for (let channel = 0; channel < channels; channel++, at += 2) {
      const value = Math.round(sample(frame / RATE, channel) * 32_768)
      data.writeInt16LE(Math.max(-32_768, Math.min(32_767, value)), at)
    }
  }
  writeFileSync(file, data)
}

const decibels = (value: number) => 10 ** (value / 20)
const sine = (time: number, hertz = 997, phase = 0) => Math.sin(2 * Math.PI * hertz * time + phase)

/** EBU Tech 3341, signals 1 to 4: a stereo sine of 1 kHz at x dBFS has x LUFS; stretches at other levels try the gates. */
function sounds(folder: string): Labelled[] {
  const made: Labelled[] = []
  const make = (name: string, check: string, isFaulty: boolean, seconds: number, sample: Sample, thresholds = {}) => {
    const file = path.join(folder, `${name}.wav`)
    writeSound(file, seconds, sample)
    made.push({ file, check, isFaulty, thresholds })
  }
  const r128 = { target_lufs: -23, tolerance_lu: 0.5, max_true_peak_dbtp: -1 }
  for (const [level, isFaulty] of [
    [-23, false],
    [-22.6, false],
    [-23.4, false],
    [-22.3, true],
    [-23.7, true],
    [-18, true],
  ] as const) {
    make(`level${level}`, 'loudness_check', isFaulty, 6, (time) => decibels(level) * sine(time, 1000), r128)
  }
  const gated: Sample = (time) => decibels(time < 3 || time >= 15 ? -36 : -23) * sine(time, 1000)
  make('tech3341-3', 'loudness_check', false, 18, gated, r128)
  // A sine at a quarter of the rate, 45° off: its samples lie 3 dB below its top (BS.1770-5, Annex 2).
  for (const [peak, isFaulty] of [
    [-1.5, false],
    [-3, false],
    [-0.4, true],
    [0, true],
  ] as const) {
    make(`peak${peak}`, 'loudness_check', isFaulty, 2, (time) => decibels(peak) * sine(time, RATE / 4, Math.PI / 4), {
      max_true_peak_dbtp: -1,
    })
  }
  for (const [gap, isFaulty] of [
    [0, false],
    [1, false],
    [1.9, false],
    [2.2, true],
    [3, true],
    [6, true],
  ] as const) {
    make(`gap${gap}`, 'silence_check', isFaulty, 8, (time) => (time >= 1 && time < 1 + gap ? 0 : 0.2 * sine(time)))
  }
  make('quiet', 'silence_check', false, 6, (time) => decibels(-55) * sine(time))
  make('hum', 'silence_check', true, 6, (time) => decibels(-66) * sine(time))
  for (const [gain, isFaulty] of [
    [0.5, false],
    [0.9, false],
    [0.99, false],
    [1.1, true],
    [1.5, true],
    [3, true],
  ] as const) {
    make(`gain${gain}`, 'clipping_check', isFaulty, 2, (time) => gain * sine(time, 440))
  }
  for (const [degrees, isFaulty] of [
    [0, false],
    [60, false],
    [90, false],
    [120, true],
    [150, true],
    [180, true],
  ] as const) {
    make(
      `phase${degrees}`,
      'phase_check',
      isFaulty,
      5,
      (time, channel) => 0.3 * sine(time, 440, channel === 1 ? (degrees * Math.PI) / 180 : 0),
    )
  }
  return made
}

/** A scene that moves and never repeats: bars of several widths that drift, with a grain of two levels. */
const scene = (frame: number, x: number, y: number) =>
  90 + ((x * 3 + frame * 7) % 97) * 0.8 + ((y * 5 + frame * 3) % 61) * 0.6 + ((x * 31 + y * 17 + frame * 13) % 5)
const FILM = { width: 320, height: 180, framesPerSecond: 25 }

function films(folder: string): Labelled[] {
  const made: Labelled[] = []
  const make = (
    name: string,
    check: string,
    isFaulty: boolean,
    seconds: number,
    paint: Parameters<typeof writeFilm>[2],
  ) => {
    const file = path.join(folder, `${name}.mp4`)
    writeFilm(file, { ...FILM, frames: Math.round(seconds * FILM.framesPerSecond) }, paint)
    made.push({ file, check, isFaulty })
  }
  const during = (frame: number, from: number, seconds: number) =>
    frame >= Math.round(from * 25) && frame < Math.round((from + seconds) * 25)
  for (const [from, lasts, isFaulty] of [
    [0, 0, false],
    [2, 0.4, false],
    [0, 0.48, false],
    [2, 0.6, true],
    [0, 1, true],
    [3, 1, true],
  ] as const) {
    make(`black${from}-${lasts}`, 'black_frames_check', isFaulty, 4, (frame, x, y) =>
      during(frame, from, lasts) ? 16 : scene(frame, x, y),
    )
  }
  make('night', 'black_frames_check', false, 3, (frame, x, y) => 16 + scene(frame, x, y) / 4)
  for (const [lasts, isFaulty] of [
    [0, false],
    [1, false],
    [1.9, false],
    [2.2, true],
    [3, true],
    [4, true],
  ] as const) {
    make(`still${lasts}`, 'freeze_frames_check', isFaulty, 5, (frame, x, y) =>
      scene(during(frame, 1, lasts) ? 25 : frame, x, y),
    )
  }
  make('black-tail', 'freeze_frames_check', false, 5, (frame, x, y) => (frame >= 50 ? 16 : scene(frame, x, y)))
  // A clear small thing that moves over a still ground is no freeze.
  make('small-mover', 'freeze_frames_check', false, 4, (frame, x, y) =>
    Math.abs(x - 20 - frame * 2) < 12 && Math.abs(y - 90) < 12 ? 220 : 60 + (x % 40),
  )
  for (const [perSecond, isFaulty] of [
    [0, false],
    [1, false],
    [2, false],
    [3, false],
    [5, true],
    [6, true],
    [12, true],
  ] as const) {
    make(`flash${perSecond}`, 'flash_check', isFaulty, 3, (frame) =>
      perSecond > 0 && Math.floor((frame / 25) * perSecond * 2) % 2 === 1 ? 210 : 40,
    )
  }
  make('flash-corner', 'flash_check', false, 3, (frame, x, y) => (x < 100 && y < 100 && frame % 4 < 2 ? 210 : 40))
  make('flash-faint', 'flash_check', false, 3, (frame) => (frame % 4 < 2 ? 100 : 90))
  // Saturated red and a grey of the same luma (so that nothing else changes), over the whole and over a corner.
  const [red, grey] = [[63, 102, 240] as const, [63, 128, 128] as const]
  for (const [perSecond, isFaulty] of [
    [0, false],
    [1, false],
    [3, false],
    [5, true],
    [6, true],
    [12, true],
  ] as const) {
    make(`red${perSecond}`, 'flash_check', isFaulty, 3, (frame) =>
      perSecond > 0 && Math.floor((frame / 25) * perSecond * 2) % 2 === 1 ? red : grey,
    )
  }
  make('red-corner', 'flash_check', false, 3, (frame, x, y) => (x < 100 && y < 100 && frame % 4 < 2 ? red : grey))
  make('blue6', 'flash_check', false, 3, (frame) => (frame % 4 < 2 ? ([63, 200, 110] as const) : grey))
  // Stripes: pairs over the width, over the whole or a part of the height, of more or less contrast.
  for (const [name, pairs, share, low, high, isFaulty] of [
    ['stripes4', 4, 1, 40, 210, false],
    ['stripes5', 5, 1, 40, 210, false],
    ['stripes6', 6, 1, 40, 210, true],
    ['stripes8', 8, 1, 40, 210, true],
    ['stripes20', 20, 1, 40, 210, true],
    ['stripes-half', 12, 0.5, 40, 210, true],
    ['stripes-low', 12, 0.15, 40, 210, false],
    ['stripes-faint', 12, 1, 90, 110, false],
  ] as const) {
    make(name, 'flash_check', isFaulty, 2, (_frame, x, y) =>
      y < FILM.height * share && Math.floor((x * pairs * 2) / FILM.width) % 2 === 1 ? high : low,
    )
  }
  for (const [bar, isFaulty] of [
    [0, false],
    [1, false],
    [4, true],
    [12, true],
    [24, true],
  ] as const) {
    make(`bars${bar}`, 'letterbox_check', isFaulty, 2, (frame, x, y) =>
      y < bar || y >= FILM.height - bar ? 16 : scene(frame, x, y),
    )
  }
  make('pillars', 'letterbox_check', true, 2, (frame, x, y) => (x < 40 || x >= 280 ? 16 : scene(frame, x, y)))
  make('dark-start', 'letterbox_check', false, 3, (frame, x, y) => (frame < 25 && y < 40 ? 16 : scene(frame, x, y)))
  return made
}

async function pages(folder: string): Promise<Labelled[]> {
  const made: Labelled[] = []
  const noise = await sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer()
  for (const [dpi, isFaulty] of [
    [310, false],
    [300, false],
    [225, false],
    [220, true],
    [150, true],
    [72, true],
  ] as const) {
    const pdf = await PDFDocument.create()
    const page = pdf.addPage([700, 500])
    page.drawImage(await pdf.embedJpg(noise), { x: 20, y: 20, width: (600 / dpi) * 72, height: (400 / dpi) * 72 })
    const file = path.join(folder, `dpi${dpi}.pdf`)
    writeFileSync(file, await pdf.save())
    made.push({ file, check: 'image_resolution_check', isFaulty, thresholds: { min_dpi: 225 } })
  }
  for (const [bleed, isFaulty] of [
    [3, false],
    [3.2, false],
    [5, false],
    [2.5, true],
    [0, true],
    [null, true],
  ] as const) {
    const pdf = await PDFDocument.create()
    const points = (millimetres: number) => (millimetres * 72) / 25.4
    const page = pdf.addPage([points(220), points(307)])
    page.drawRectangle({ x: 0, y: 0, width: 600, height: 800, color: rgb(0.5, 0.7, 0.2) })
    const box = (inset: number) =>
      pdf.context.obj([points(inset), points(inset), points(220 - inset), points(307 - inset)])
    page.node.set(PDFName.of('TrimBox'), box(5))
    if (bleed !== null) page.node.set(PDFName.of('BleedBox'), box(5 - bleed))
    const file = path.join(folder, `bleed${bleed}.pdf`)
    writeFileSync(file, await pdf.save())
    made.push({ file, check: 'bleed_check', isFaulty, thresholds: { min_mm: 3 } })
  }
  return made
}

async function codes(folder: string): Promise<Labelled[]> {
  const made: Labelled[] = []
  const texts = [
    ['https://example.com/a', false],
    ['https://example.com/offer?id=1', false],
    ['mailto:office@example.com', false],
    ['http://example.com/a', true],
    ['www.example.com', true],
    ['ftp://example.com/file', true],
  ] as const
  for (const [index, [text, isFaulty]] of texts.entries()) {
    const { data, size } = encode(text, { border: 4 })
    const modules = data
      .flatMap((row, y) => row.map((dark, x) => (dark ? `<path d="M${x} ${y}h1v1h-1z"/>` : '')))
      .join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size * 6}" height="${size * 6}" viewBox="0 0 ${size} ${size}"><rect width="${size}" height="${size}" fill="#fff"/>${modules}</svg>`
    const file = path.join(folder, `code${index}.png`)
    await sharp({ create: { width: 800, height: 600, channels: 3, background: '#b9c7d5' } })
      .composite([{ input: Buffer.from(svg), left: 100, top: 80 }])
      .png()
      .toFile(file)
    made.push({ file, check: 'qr_code_check', isFaulty })
  }
  return made
}

/** Writes the labelled files into a folder; some minutes of sound and film, a few megabytes. */
export async function writeLabelled(folder: string): Promise<Labelled[]> {
  return [...sounds(folder), ...films(folder), ...(await pages(folder)), ...(await codes(folder))]
}
