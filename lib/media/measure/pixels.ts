import type { PixelFacts } from '../measurements'

/**
 * What one pass over the pixels of an image measures. Pure arithmetic over decoded samples; the decoding is in
 * `image.ts`. No copy is made of it: each measure reads the samples it needs.
 */

/** Decoded samples as people see them: orientation applied, 8 bits, sRGB, rows from the top. */
export type Raster = {
  data: Uint8Array
  width: number
  height: number
  /** 3 = RGB, 4 = RGBA. */
  channels: 3 | 4
  /** Raster pixels per image pixel: 1, or less when a very large image was reduced while decoding. */
  scale: number
}
const TILE = 32
/** Enough tiles to find the sharp ones, enough samples for a mean: a larger image is inspected on a lattice. */
const MOST_TILES = 320
const MOST_SAMPLES = 80_000
const MOST_STEPS = 30_000
/** Rec. 601 luma, the weights JPEG uses, in 1/256. */
const RED = 77
const GREEN = 150
const BLUE = 29
/** Below this a pixel stands out from white: 1.3:1 contrast and more. */
const PALE_LUMA = 235

export function measurePixels(raster: Raster): PixelFacts {
  return {
    width: Math.round(raster.width / raster.scale),
    height: Math.round(raster.height / raster.scale),
    scale: raster.scale,
    ...measureSharpness(raster),
    blockiness: raster.scale === 1 ? measureBlockiness(raster) : null,
    stepEvenness: raster.scale === 1 ? measureEvenness(raster) : null,
    ...measureSpread(raster),
    paleEdgeShare: measurePaleEdge(raster),
    perceptualHash: differenceHash(raster),
  }
}

/** Luma over white of the pixel whose samples begin at `at`. */
function lumaAt(data: Uint8Array, channels: number, at: number): number {
  const luma = ((data[at] as number) * RED + (data[at + 1] as number) * GREEN + (data[at + 2] as number) * BLUE) >> 8
  if (channels === 3) return luma
  const alpha = data[at + 3] as number
  return alpha === 255 ? luma : Math.floor((luma * alpha) / 255 + 255 - alpha)
}

/**
 * How far the samples spread. Of an image without alpha every n-th pixel is read, another column in each row, so that
 * no pattern of the image falls in step with them; transparency is counted in every pixel.
 */
function measureSpread({ data, channels, width, height }: Raster) {
  const step = channels === 3 ? Math.max(1, Math.floor((width * height) / MOST_SAMPLES)) : 1
  let pixels = 0
  let [redSum, greenSum, blueSum, alphaSum] = [0, 0, 0, 0]
  let [redSquares, greenSquares, blueSquares, alphaSquares] = [0, 0, 0, 0]
  let [transparent, translucent] = [0, 0]
  // A step that shares no factor with the width goes through all columns.
  const stride = coprime(step, width) * channels
  for (let at = 0; at < width * height * channels; at += stride) {
    let red = data[at] as number
    let green = data[at + 1] as number
    let blue = data[at + 2] as number
    const alpha = channels === 4 ? (data[at + 3] as number) : 255
    pixels++
    if (alpha < 255) {
      translucent++
      if (alpha === 0) transparent++
      red = (red * alpha) / 255
      green = (green * alpha) / 255
      blue = (blue * alpha) / 255
    }
    redSum += red
    greenSum += green
    blueSum += blue
    alphaSum += alpha
    redSquares += red * red
    greenSquares += green * green
    blueSquares += blue * blue
    alphaSquares += alpha * alpha
  }
  const deviation = (sum: number, squares: number) =>
    Math.sqrt(Math.max(0, squares / pixels - (sum / pixels) ** 2)) / 255
  return {
    deviation: Math.max(
      deviation(redSum, redSquares),
      deviation(greenSum, greenSquares),
      deviation(blueSum, blueSquares),
      deviation(alphaSum, alphaSquares),
    ),
    transparentShare: transparent / pixels,
    translucentShare: translucent / pixels,
  }
}

function coprime(step: number, width: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let found = step
  while (found > 1 && divisor(width, found) > 1) found++
  return found
}

/** Contrast of a tile that holds lettering or a contour of a drawing, and the share of plain tiles around such. */
const CONTOUR_CONTRAST = 96
const PLAIN_SHARE = 0.4

/**
 * See `PixelFacts.sharpness` and `contourSharpness`. Flat tiles are left out, or a sharp logo on a plain ground would count
 * as blurred.
 */
function measureSharpness(raster: Raster): Pick<PixelFacts, 'sharpness' | 'contourSharpness' | 'grain'> {
  const { width, height } = raster
  const variances: number[] = []
  const contours: number[] = []
  let inspected = 0
  const across = Math.ceil(Math.max(0, width - 2) / TILE)
  const tiles = across * Math.ceil(Math.max(0, height - 2) / TILE)
  const every = coprime(Math.max(1, Math.ceil(tiles / MOST_TILES)), across)
  const luma = new Uint8Array((TILE + 2) ** 2)
  for (let tile = 0; tile < tiles; tile += every) {
    const left = 1 + (tile % across) * TILE
    const top = 1 + Math.floor(tile / across) * TILE
    const found = laplacianVariance(
      raster,
      luma,
      left,
      top,
      Math.min(TILE, width - 1 - left),
      Math.min(TILE, height - 1 - top),
    )
    inspected++
    if (found === null) continue
    variances.push(found.variance)
    if (found.contrast >= CONTOUR_CONTRAST) contours.push(found.variance / found.contrast ** 2)
  }
  const isDrawing = variances.length <= (1 - PLAIN_SHARE) * inspected
  return {
    sharpness: meanOfTenth(variances, 'sharpest'),
    contourSharpness: isDrawing ? meanOfTenth(contours, 'sharpest') : null,
    grain: meanOfTenth(variances, 'softest'),
  }
}

function meanOfTenth(values: readonly number[], which: 'sharpest' | 'softest'): number | null {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => (which === 'sharpest' ? b - a : a - b))
  const tenth = sorted.slice(0, Math.max(1, Math.ceil(values.length / 10)))
  return tenth.reduce((total, value) => total + value, 0) / tenth.length
}

/** Variance of the Laplacian in a window; null when the window shows nothing (contrast under 16 of 255). */
function laplacianVariance(
  { data, channels, width }: Raster,
  luma: Uint8Array,
  left: number,
  top: number,
  columns: number,
  rows: number,
): { variance: number; contrast: number } | null {
  const stride = TILE + 2
  for (let y = 0; y < rows + 2; y++) {
    let from = ((top - 1 + y) * width + left - 1) * channels
    const end = y * stride + columns + 2
    if (channels === 3) {
      // The commonest case without a call: most of what a photo costs beside its decoding is here.
      for (let to = y * stride; to < end; to++, from += 3) {
        luma[to] =
          ((data[from] as number) * RED + (data[from + 1] as number) * GREEN + (data[from + 2] as number) * BLUE) >> 8
      }
    } else {
      for (let to = y * stride; to < end; to++, from += channels) luma[to] = lumaAt(data, channels, from)
    }
  }
  let darkest = 255
  let lightest = 0
  let sum = 0
  let squares = 0
  for (let y = 1; y <= rows; y++) {
    let before = luma[y * stride] as number
    let here = luma[y * stride + 1] as number
    for (let at = y * stride + 1, end = at + columns; at < end; at++) {
      const after = luma[at + 1] as number
      if (here < darkest) darkest = here
      if (here > lightest) lightest = here
      const edge = 4 * here - before - after - (luma[at - stride] as number) - (luma[at + stride] as number)
      sum += edge
      squares += edge * edge
      before = here
      here = after
    }
  }
  if (lightest - darkest < 16) return null
  const samples = columns * rows
  return { variance: squares / samples - (sum / samples) ** 2, contrast: lightest - darkest }
}

/** A step of more is a contour of the image itself, which may lie on the grid by chance or by design. */
const GREATEST_STEP = 32

const GRID = 8

/**
 * Mean step across the 8 px grid against the mean step one pixel beside it, horizontally and vertically, on as many rows
 * and columns as a mean needs. The grid may begin anywhere: an image that was cropped after its coding keeps it.
 */
function measureBlockiness({ data, channels, width, height }: Raster): number | null {
  if (width < 64 || height < 64) return null
  const across = { sums: new Float64Array(GRID), counts: new Uint32Array(GRID) }
  const down = { sums: new Float64Array(GRID), counts: new Uint32Array(GRID) }
  // Odd, so that the rows and columns fall on every place of the grid that runs the other way.
  const sparse = 4 * Math.max(1, Math.ceil((width * height) / 16 / MOST_STEPS)) + 1
  const follow = (steps: typeof across, first: number, stride: number, length: number) => {
    let before = lumaAt(data, channels, first * channels)
    for (let place = 1, at = first + stride; place < length; place++, at += stride) {
      const here = lumaAt(data, channels, at * channels)
      const step = Math.abs(here - before)
      before = here
      if (step > GREATEST_STEP) continue
      const phase = place % GRID
      steps.sums[phase] = (steps.sums[phase] as number) + step
      steps.counts[phase] = (steps.counts[phase] as number) + 1
    }
  }
  for (let y = 0; y < height; y += sparse) follow(across, y * width, 1, width)
  for (let x = 0; x < width; x += sparse) follow(down, x, width, height)
  // Half a grey level of noise floor, or two flat images would be compared by their rounding.
  const mean = (steps: typeof across, phases: readonly number[]) => {
    const count = phases.reduce((sum, phase) => sum + (steps.counts[phase % GRID] as number), 0)
    // A drawing of hard contours has no soft steps that coding could have left.
    return count === 0
      ? null
      : phases.reduce((sum, phase) => sum + (steps.sums[phase % GRID] as number), 0) / count + 0.5
  }
  const strongest = (steps: typeof across) => {
    let most = 0
    for (let phase = 0; phase < GRID; phase++) {
      const [on, beside] = [mean(steps, [phase]), mean(steps, [phase + 1, phase + GRID - 1])]
      if (on !== null && beside !== null) most = Math.max(most, on / beside)
    }
    return most
  }
  const [one, other] = [strongest(across), strongest(down)]
  // Coding leaves its grid in both directions; stripes of the image itself lie in one.
  return one === 0 || other === 0 ? 1 : Math.sqrt(one * other)
}

/** Grey levels: smaller steps are left by coding, greater ones are contours of drawings, which may lie on a grid by design. */
const LEAST_EVEN_STEP = 12
const MOST_EVEN_STEP = 64
/** Enlarging by a whole number gives that many pixels, by two and a half five. 8 is the grid of coding. */
const PERIODS = [2, 3, 4, 5, 6, 7]
/** Every period and the grid fit into it. */
const CYCLE = 840
/** With fewer, one place of seven may be empty by chance. */
const LEAST_STEPS = 400
/** From this share of steps on the coding grid on, nothing is known of other periods. */
const GRID_SHARE = 0.75

/** See `PixelFacts.stepEvenness`. Each direction on as many rows and columns as `measureBlockiness` reads. */
function measureEvenness({ data, channels, width, height }: Raster): number | null {
  const sparse = 4 * Math.max(1, Math.ceil((width * height) / 16 / MOST_STEPS)) + 1
  const follow = (steps: Uint32Array, first: number, stride: number, length: number) => {
    let before = lumaAt(data, channels, first * channels)
    for (let place = 1, at = first + stride; place < length; place++, at += stride) {
      const here = lumaAt(data, channels, at * channels)
      const step = Math.abs(here - before)
      before = here
      if (step >= LEAST_EVEN_STEP && step <= MOST_EVEN_STEP) steps[place % CYCLE] = (steps[place % CYCLE] as number) + 1
    }
  }
  const across = new Uint32Array(CYCLE)
  const down = new Uint32Array(CYCLE)
  for (let y = 0; y < height; y += sparse) follow(across, y * width, 1, width)
  for (let x = 0; x < width; x += sparse) follow(down, x, width, height)
  const [one, other] = [evennessOf(across), evennessOf(down)]
  // Enlarging repeats both rows and columns; stripes of the image itself lie in one direction.
  return one === null || other === null ? null : Math.max(one, other)
}

/** Steps at the emptiest place of any period, relative to their mean. Null of too few steps. */
function evennessOf(steps: Uint32Array): number | null {
  const total = steps.reduce((sum, count) => sum + count, 0)
  if (total < LEAST_STEPS) return null
  const at = (period: number) => {
    const places = new Float64Array(period)
    for (const [place, count] of steps.entries()) places[place % period] = (places[place % period] as number) + count
    return places
  }
  if (Math.max(...at(GRID)) >= GRID_SHARE * total) return 1
  return Math.min(1, ...PERIODS.map((period) => (Math.min(...at(period)) * period) / total))
}

function measurePaleEdge({ data, channels, width, height }: Raster): number {
  let pale = 0
  let ring = 0
  const inspect = (pixel: number) => {
    ring++
    if (lumaAt(data, channels, pixel * channels) >= PALE_LUMA) pale++
  }
  for (let x = 0; x < width; x++) {
    inspect(x)
    if (height > 1) inspect((height - 1) * width + x)
  }
  for (let y = 1; y + 1 < height; y++) {
    inspect(y * width)
    if (width > 1) inspect(y * width + width - 1)
  }
  return pale / ring
}

/**
 * Difference hash (9 × 8 means, each compared with its right neighbour): survives re-saving and scaling. An image
 * whose means hardly differ has no such hash, or all flat images would look the same.
 */
function differenceHash({ data, channels, width, height }: Raster): string | null {
  if (width < 9 || height < 8) return null
  const means: number[] = []
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / MOST_SAMPLES)))
  for (let row = 0; row < 8; row++) {
    const top = Math.floor((row * height) / 8)
    const bottom = Math.floor(((row + 1) * height) / 8)
    for (let column = 0; column < 9; column++) {
      const left = Math.floor((column * width) / 9)
      const right = Math.floor(((column + 1) * width) / 9)
      let [sum, samples] = [0, 0]
      for (let y = top, shift = 0; y < bottom; y += step, shift = (shift + 1) % step) {
        for (let x = left + shift; x < right; x += step, samples++) {
          sum += lumaAt(data, channels, (y * width + x) * channels)
        }
      }
      means.push(sum / samples)
    }
  }
  let hash = 0n
  let distinct = 0
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const difference = (means[row * 9 + column + 1] ?? 0) - (means[row * 9 + column] ?? 0)
      if (Math.abs(difference) >= 1) distinct++
      hash = (hash << 1n) | (difference > 0 ? 1n : 0n)
    }
  }
  return distinct < 12 ? null : hash.toString(16).padStart(16, '0')
}
