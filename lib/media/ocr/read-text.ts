import sharp from 'sharp'
import { isFound, isReadable, matchCopy, sureness } from '@/lib/checks/match-copy'
import type { ReadWord, TextReading } from '@/lib/media/measurements'
import { drawPage } from '../decode/pdf-page'
import { frameAt, lengthOf, upright } from '../decode/video'
import type { Raster } from '../measure/pixels'
import type { Box, TextFacts } from '../measurements'
import { evenContrast } from './even-contrast'
import { inkBox, letterHeights } from './ink-box'
import { type Layout, languagesFor, recognise, type Separation } from './recogniser'
import { readTextLayer } from './text-layer'

/**
 * TextReading begins no further pass after this, so that what was read so far is not lost to a time limit: seconds of the
 * processor, or three times as many of the clock where others need it, too.
 */
const PROCESSOR_TIME_MS = 25_000
/** Pixels an image is read in: small ones are enlarged until letters have a size that readers know. */
const MOST_PIXELS = 3_000_000
const LEAST_LONGEST_SIDE = 1800
const MOST_ENLARGED = 4
const MOST_DRAWN_PAGES = 6
const PAGE_SIDE = 2400
/**
 * Where a video is inspected, as shares of its length; the end is where the small print stands. The others lie between the
 * first ones, for copy that stands for a moment, and are read where something was not found.
 */
const FRAME_POSITIONS = [0.04, 0.25, 0.45, 0.65, 0.85, 0.98]
const FURTHER_POSITIONS = [0.15, 0.35, 0.55, 0.75, 0.92, 0.1, 0.3, 0.5, 0.2, 0.4, 0.6, 0.7, 0.8]
/** Further frames lie so far apart that letters cannot come and go between them unread. */
const LEAST_STEP_SECONDS = 0.4

/**
 * The ways an image is read, in turn, until all that is wanted was found: most are read at the first. One brightness
 * that parts ink from ground; without the words that were read so, as small print beside a headline is taken for specks;
 * one brightness for each part; words without order; the channel of most contrast; tilted either way.
 */
type Pass = { separation: Separation; layout: Layout; channel: 'grey' | 'strongest'; degrees: number; isRest?: boolean }
const PLAIN: Pass = { separation: 'whole', layout: 'page', channel: 'grey', degrees: 0 }
const PASSES: readonly Pass[] = [
  PLAIN,
  { ...PLAIN, isRest: true },
  { ...PLAIN, separation: 'tiled' },
  { ...PLAIN, layout: 'sparse' },
  { ...PLAIN, channel: 'strongest' },
  { ...PLAIN, degrees: 15 },
  { ...PLAIN, degrees: -15 },
]
/** The ways in which a place is read once more, enlarged, that reads almost like a phrase. */
const CLOSER: readonly (Pass & { isEven: boolean })[] = [0, -12, 12].flatMap((degrees) => [
  { ...PLAIN, layout: 'block' as const, degrees, isEven: false },
  { ...PLAIN, layout: 'block' as const, degrees, isEven: true },
  { ...PLAIN, layout: 'block' as const, degrees, channel: 'strongest' as const, isEven: false },
])
/** Letters in common from which a place is worth that, and the height of a line there, pixels. */
const WORTH_ENLARGING = 0.5
const LINE_HEIGHT = 56
/** Readings kept of a phrase: two that agree say more than one. */
const MOST_READINGS = 3

/** Frames of a video differ among themselves: three ways of reading each are enough. */
const VIDEO_PASSES = PASSES.slice(0, 3)

/** One image to be read: a page, a frame, or the only one. */
type Place = Pick<TextReading, 'page' | 'time'> & {
  draw: () => Promise<Raster>
  /** Units of the regions for a pixel of the drawn image. */
  unit: (drawn: Raster) => number
}

/** Reads an image that is decoded already. */
export function readImage(raster: Raster, copy: readonly string[]): Promise<TextFacts> {
  const place = { draw: async () => raster, unit: () => 1 / raster.scale }
  return readPlaces([place], PASSES, copy, { readings: [], of: 1 })
}

/** Takes the text layer of a PDF; where something is not in it, its pages are drawn and read. */
export async function readDocument(path: string, copy: readonly string[]): Promise<TextFacts> {
  const { readings: layer, widthsMm, pages } = await readTextLayer(path)
  const readings = await withoutUnseen(path, layer, widthsMm, copy)
  const stated = { readings, of: pages }
  if (isAllFound(copy, readings)) return readPlaces([], PASSES, copy, stated)
  const place = (page: number): Place => ({
    page,
    draw: () => drawPage(path, page, PAGE_SIDE),
    unit: ({ width }) => (widthsMm[page - 1] ?? width) / width,
  })
  // The last page bears the imprint; those without a text layer come before those that have one.
  const numbers = [...new Set([1, readings.length, ...readings.keys()])].filter((number) => number > 0)
  const isBare = (page: number) => (readings[page - 1]?.words.length ?? 0) === 0
  const inTurn = [...numbers.filter(isBare), ...numbers.filter((page) => !isBare(page))]
  return readPlaces(inTurn.slice(0, MOST_DRAWN_PAGES).map(place), PASSES.slice(0, 4), copy, stated)
}

/** Least difference of any channel, of 255, between a letter that is seen and its ground. */
const SEEN = 12

/** Leaves out the words that cannot be seen, such as white on white: of the pages on which a phrase was found. */
async function withoutUnseen(
  path: string,
  layer: readonly TextReading[],
  widthsMm: readonly number[],
  copy: readonly string[],
): Promise<TextReading[]> {
  const readings = [...layer]
  for (const [index, reading] of layer.entries()) {
    if (!copy.some((phrase) => isFound(matchCopy(phrase, [reading])))) continue
    const raster = await drawPage(path, index + 1)
    const scale = raster.width / (widthsMm[index] ?? raster.width)
    readings[index] = { ...reading, words: reading.words.filter(({ region }) => isSeen(raster, scaled(region, scale))) }
  }
  return readings
}

/** Whether the middle of a word shows anything: above and below it the lines beside it may reach in. */
function isSeen({ data, width, height, channels }: Raster, box: Box): boolean {
  const [left, right] = [Math.max(0, Math.floor(box.x)), Math.min(width, Math.ceil(box.x + box.width))]
  const top = Math.max(0, Math.floor(box.y + box.height * 0.3))
  const bottom = Math.min(height, Math.ceil(box.y + box.height * 0.8))
  const [least, most] = [
    [255, 255, 255],
    [0, 0, 0],
  ]
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const value = data[(y * width + x) * channels + channel] as number
        if (value < (least[channel] as number)) least[channel] = value
        if (value > (most[channel] as number)) most[channel] = value
      }
    }
  }
  return most.some((value, channel) => value - (least[channel] as number) >= SEEN)
}

/** Reads some frames of a video. */
export function readVideo(path: string, mediaType: string, copy: readonly string[]): Promise<TextFacts> {
  const seconds = lengthOf(path, mediaType)
  const place = (time: number): Place => ({
    time,
    draw: async () => upright(frameAt(path, mediaType, time)),
    unit: ({ scale }) => 1 / scale,
  })
  const at = (share: number) => Math.round(seconds * share * 100) / 100
  const times = FRAME_POSITIONS.map(at)
  for (const time of FURTHER_POSITIONS.map(at))
    if (times.every((other) => Math.abs(other - time) >= LEAST_STEP_SECONDS)) times.push(time)
  const inTurn = [...times, 0, seconds].sort((a, b) => a - b)
  const apartSeconds = Math.max(...inTurn.map((time, index) => time - (inTurn[index - 1] ?? 0)))
  return readPlaces(times.map(place), VIDEO_PASSES, copy, { readings: [], of: times.length, apartSeconds })
}

const isAllFound = (copy: readonly string[], readings: readonly TextReading[]) =>
  copy.every((phrase) => isFound(matchCopy(phrase, readings)))

async function readPlaces(
  places: readonly Place[],
  passes: readonly Pass[],
  copy: readonly string[],
  stated: { readings: TextReading[]; of: number; apartSeconds?: number },
): Promise<TextFacts> {
  const used = process.cpuUsage()
  const readings = [...stated.readings]
  const languages = places.length > 0 ? languagesFor(copy) : []
  // What no model can read is not waited for.
  const sought = copy.filter(isReadable)
  const isTimeUp = () => {
    const { user, system } = process.cpuUsage(used)
    return (user + system) / 1000 > PROCESSOR_TIME_MS
  }
  const drawn = new Map<Place, Prepared>()
  let isComplete = true
  for (const pass of passes) {
    for (const place of places) {
      if (isTimeUp()) isComplete = false
      if (!isComplete || (readings.length > 0 && isAllFound(sought, readings))) break
      let image = drawn.get(place)
      if (!image) {
        const raster = await place.draw()
        image = await prepare(raster, place.unit(raster))
        drawn.set(place, image)
      }
      const { page, time } = place
      const before = readings.findLast((each) => each.how === 'recognised' && each.page === page && each.time === time)
      const known = pass.isRest ? (before?.words ?? []) : []
      if (pass.isRest && known.length === 0) continue
      const words = [...known, ...(await readOnce(without(image, known), pass, languages))]
      readings.push({ how: 'recognised', ...(page && { page }), ...(time !== undefined && { time }), words })
    }
  }
  for (const phrase of sought) {
    for (const pass of CLOSER) {
      const match = matchCopy(phrase, readings)
      const { reading } = match
      const place = places.find(({ page, time }) => page === reading?.page && time === reading?.time)
      const image = place && drawn.get(place)
      if (isFound(match) || match.likeness < WORTH_ENLARGING || !reading || !image) break
      if (isTimeUp()) isComplete = false
      if (!isComplete) break
      const words = await readEnlarged(image, match.words, pass, languages)
      readings.push({ ...reading, how: 'recognised', words })
    }
  }
  const read = new Set(
    readings
      .filter(({ how, words }) => how === 'recognised' || words.length > 0)
      .map(({ page, time }) => `${page} ${time}`),
  )
  const best = bestOf(readings, copy)
  const images = [...drawn.values()]
  const isBlank = best.words === 0 && images.length > 0 && (await Promise.all(images.map(isOneColour))).every(Boolean)
  return {
    ...best,
    languages,
    places: {
      read: read.size,
      of: stated.of,
      ...(stated.apartSeconds !== undefined && { apartSeconds: Math.round(stated.apartSeconds * 1000) / 1000 }),
    },
    isComplete,
    ...(isBlank && { isBlank }),
  }
}

/** The readings that say most of the phrases, and how much was read in all. */
function bestOf(readings: readonly TextReading[], copy: readonly string[]) {
  const chosen = new Set(copy.flatMap((phrase) => mostAlike(phrase, readings)))
  const best = new Map<string, TextReading>()
  const worth = ({ words }: TextReading) =>
    words.reduce((sum, { confidence, text }) => sum + confidence * text.length, 0)
  for (const reading of readings) {
    const at = `${reading.page} ${reading.time}`
    const other = best.get(at)
    if (!other || worth(reading) > worth(other)) best.set(at, reading)
  }
  const words = [...best.values()].flatMap((reading) => reading.words)
  return {
    readings: [...chosen],
    words: words.length,
    confidence: words.length > 0 ? Math.round(sureness(words) * 100) / 100 : null,
  }
}

const mostAlike = (phrase: string, readings: readonly TextReading[]): TextReading[] => {
  const found = readings.map((reading) => matchCopy(phrase, [reading])).filter(({ likeness }) => likeness > 0)
  found.sort((a, b) => b.likeness - a.likeness)
  return found.slice(0, found[0] && isFound(found[0]) ? 1 : MOST_READINGS).flatMap(({ reading }) => reading ?? [])
}

type Prepared = { page: Buffer; width: number; height: number; unit: number }

/** Reads the surroundings of some words, in the size that readers know best; regions are of the whole image. */
async function readEnlarged(
  { page, width, height, unit }: Prepared,
  near: readonly ReadWord[],
  { isEven, ...pass }: (typeof CLOSER)[number],
  languages: readonly string[],
): Promise<ReadWord[]> {
  const boxes = near.map(({ region }) => scaled(region, 1 / unit))
  const line = Math.max(8, Math.min(...boxes.map((box) => box.height)))
  const left = Math.max(0, Math.floor(Math.min(...boxes.map(({ x }) => x)) - 1.5 * line))
  const top = Math.max(0, Math.floor(Math.min(...boxes.map(({ y }) => y)) - 0.5 * line))
  const right = Math.min(width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width)) + 1.5 * line))
  const bottom = Math.min(height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height)) + 0.5 * line))
  const size = { width: right - left, height: bottom - top }
  if (size.width < 8 || size.height < 8) return []
  const factor = Math.min(3, LINE_HEIGHT / line, Math.sqrt(MOST_PIXELS / (size.width * size.height)))
  const { data, info } = await sharp(page, { raw: { width, height, channels: 3 } })
    .extract({ left, top, ...size })
    .resize({ width: Math.max(8, Math.round(size.width * factor)), kernel: factor > 1 ? 'cubic' : 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const closer = { page: data, width: info.width, height: info.height, unit: (unit * size.width) / info.width }
  const words = await readOnce(closer, pass, languages, isEven)
  return words.map(({ region, ...word }) => ({
    ...word,
    region: { ...region, x: tenth(region.x + left * unit), y: tenth(region.y + top * unit) },
  }))
}

/** An image in the size it is read in, and what a pixel of that is of the original. */
async function prepare({ data, width, height, channels }: Raster, unit: number): Promise<Prepared> {
  const wanted = Math.min(MOST_ENLARGED, Math.max(1, LEAST_LONGEST_SIDE / Math.max(width, height)))
  const factor = Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)))
  const { data: page, info } = await sharp(data, { raw: { width, height, channels } })
    .flatten({ background: '#fff' })
    .resize({ width: Math.max(1, Math.round(width * factor)), kernel: factor > 1 ? 'cubic' : 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { page, width: info.width, height: info.height, unit: (unit * width) / info.width }
}

/** An image with these words painted over by what is around them; a band of a quarter of their height goes with them. */
function without(image: Prepared, words: readonly ReadWord[]): Prepared {
  if (words.length === 0) return image
  const page = Buffer.from(image.page)
  for (const { region } of words) {
    const box = scaled(region, 1 / image.unit)
    const band = Math.ceil(box.height / 4)
    const [left, right] = [
      Math.max(0, Math.floor(box.x) - band),
      Math.min(image.width, Math.ceil(box.x + box.width) + band),
    ]
    const [top, bottom] = [
      Math.max(0, Math.floor(box.y) - band),
      Math.min(image.height, Math.ceil(box.y + box.height) + band),
    ]
    if (left >= right || top >= bottom) continue
    const at = (x: number, y: number) => (y * image.width + x) * 3
    for (let y = top; y < bottom; y++) {
      // From the point at its left edge to that at its right.
      const [from, to] = [at(left, y), at(right - 1, y)]
      const ends = Array.from(
        { length: 3 },
        (_, channel) => [page[from + channel] ?? 0, page[to + channel] ?? 0] as const,
      )
      for (let x = left; x < right; x++) {
        const share = (x - left) / (right - left)
        for (const [channel, [start, end]] of ends.entries()) page[at(x, y) + channel] = start + (end - start) * share
      }
    }
  }
  return { ...image, page }
}

async function readOnce(
  { page, width, height, unit }: Prepared,
  { channel, degrees, ...how }: Pass,
  languages: readonly string[],
  isEven = true,
): Promise<ReadWord[]> {
  const colour = sharp(page, { raw: { width, height, channels: 3 } })
  const grey = channel === 'grey' ? colour.greyscale() : colour.extractChannel(await strongest(page, width, height))
  const plain = await grey.extractChannel(0).raw().toBuffer()
  const flat = isEven ? evenContrast(plain, width, height) : plain
  const { data, info } = await sharp(flat, { raw: { width, height, channels: 1 } })
    .rotate(degrees, { background: isLight(flat) ? '#fff' : '#000' })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const image = { data, width: info.width, height: info.height }
  const words = await recognise(image, languages, how)
  const back = turnedBack(degrees, info, { width, height })
  const boxes = words.map(({ region }) => inkBox(image, region))
  const heights = letterHeights(boxes)
  return words.map((word, index) => {
    const [box, height] = [boxes[index] ?? word.region, heights[index] ?? word.region.height]
    return { ...word, region: scaled(back(box), unit), height: tenth(height * unit) }
  })
}

/** Whether nothing is there that could be seen as a letter. */
async function isOneColour({ page, width, height }: Prepared): Promise<boolean> {
  const { channels } = await sharp(page, { raw: { width, height, channels: 3 } }).stats()
  return channels.every(({ min, max }) => max - min < SEEN)
}

/** Of the corners that turning adds: they shall look like more of the ground. */
function isLight(grey: Uint8Array): boolean {
  let sum = 0
  for (let at = 0; at < grey.length; at += 97) sum += grey[at] as number
  return sum / Math.ceil(grey.length / 97) >= 128
}

/** The colour that differs most over the image: red on green is grey on grey. */
async function strongest(page: Buffer, width: number, height: number): Promise<0 | 1 | 2> {
  const { channels } = await sharp(page, { raw: { width, height, channels: 3 } }).stats()
  const spread = channels.map(({ stdev }) => stdev)
  return spread.indexOf(Math.max(...spread)) as 0 | 1 | 2
}

/** From an image that was turned clockwise about its middle to where that lay before: the box around the turned box. */
function turnedBack(degrees: number, turned: { width: number; height: number }, before: typeof turned) {
  if (degrees === 0) return (box: Box) => box
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  return ({ x, y, width, height }: Box): Box => {
    const corners = [x, x + width].flatMap((across) =>
      [y, y + height].map((down) => {
        const [dx, dy] = [across - turned.width / 2, down - turned.height / 2]
        return { x: dx * cos + dy * sin + before.width / 2, y: -dx * sin + dy * cos + before.height / 2 }
      }),
    )
    const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)]
    const [left, top] = [Math.max(0, Math.min(...xs)), Math.max(0, Math.min(...ys))]
    return {
      x: left,
      y: top,
      width: Math.min(before.width, Math.max(...xs)) - left,
      height: Math.min(before.height, Math.max(...ys)) - top,
    }
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10
const scaled = ({ x, y, width, height }: Box, unit: number): Box => ({
  x: tenth(x * unit),
  y: tenth(y * unit),
  width: tenth(width * unit),
  height: tenth(height * unit),
})
