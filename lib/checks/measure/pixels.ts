/**
 * What one look at the pixels of a picture tells. Pure arithmetic over decoded samples; the decoding is next door in
 * `picture.ts`. Every row is read once, then small windows of it.
 */

/** Decoded samples as people see them: orientation applied, 8 bits, sRGB, rows from the top. */
export type Raster = {
  data: Uint8Array
  width: number
  height: number
  /** 3 = RGB, 4 = RGBA. */
  channels: 3 | 4
  /** Raster pixels per picture pixel: 1, or less when a very large picture was reduced while decoding. */
  scale: number
}

export type PixelFacts = {
  /** The picture as seen, pixels. */
  width: number
  height: number
  scale: number
  /**
   * Variance of the Laplacian (4-neighbour kernel, 8-bit luma) in the sharpest tenth of the 32 px tiles that show
   * anything. Null when no tile does.
   */
  sharpness: number | null
  /** Steps across the 8 px coding grid relative to the steps beside it; 1 = no grid. Null when reduced or too small. */
  blockiness: number | null
  /** Largest standard deviation of any channel, alpha included, 0..1 of full scale; colour counts where it shows. */
  deviation: number
  /** Share of pixels that are fully transparent, 0..1. */
  transparentShare: number
  /** Share of pixels that are at least partly transparent, 0..1. */
  translucentShare: number
  /** Share of the outermost ring of pixels that would vanish on a white page, 0..1. */
  paleEdgeShare: number
  /** 64-bit difference hash, 16 hexadecimal digits. Null when the picture is too flat for it to mean anything. */
  perceptualHash: string | null
}

const TILE = 32
/** Enough tiles to find the sharp ones: a picture above four megapixels is sampled on a lattice. */
const MOST_TILES = 4000
/** Rec. 601 luma, the weights JPEG uses, in 1/256. */
const RED = 77
const GREEN = 150
const BLUE = 29
/** Below this a pixel stands out from white: 1.3:1 contrast and more. */
const PALE_LUMA = 235

export function measurePixels(raster: Raster): PixelFacts {
  const grey = new Uint8Array(raster.width * raster.height)
  const spread = measureSpread(raster, grey)
  return {
    width: Math.round(raster.width / raster.scale),
    height: Math.round(raster.height / raster.scale),
    scale: raster.scale,
    sharpness: measureSharpness(grey, raster.width, raster.height),
    blockiness: raster.scale === 1 ? measureBlockiness(grey, raster.width, raster.height) : null,
    ...spread,
    paleEdgeShare: measurePaleEdge(grey, raster.width, raster.height),
    perceptualHash: differenceHash(grey, raster.width, raster.height),
  }
}

/**
 * Fills `grey` with the luma over white, and measures how far the samples spread. The one loop over every sample:
 * plain numbers and no calls, because a photo has twelve million of them.
 */
function measureSpread({ data, channels, width, height }: Raster, grey: Uint8Array) {
  const pixels = width * height
  let [redSum, greenSum, blueSum, alphaSum] = [0, 0, 0, 0]
  let [redSquares, greenSquares, blueSquares, alphaSquares] = [0, 0, 0, 0]
  let [transparent, translucent] = [0, 0]
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += channels) {
    let red = data[at] as number
    let green = data[at + 1] as number
    let blue = data[at + 2] as number
    let onWhite = (red * RED + green * GREEN + blue * BLUE) >> 8
    const alpha = channels === 4 ? (data[at + 3] as number) : 255
    if (alpha < 255) {
      translucent++
      if (alpha === 0) transparent++
      red = (red * alpha) / 255
      green = (green * alpha) / 255
      blue = (blue * alpha) / 255
      onWhite = (onWhite * alpha) / 255 + 255 - alpha
    }
    grey[pixel] = onWhite
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

/** See `PixelFacts.sharpness`. Flat tiles are left out, or a sharp logo on a plain ground would count as blurred. */
function measureSharpness(grey: Uint8Array, width: number, height: number): number | null {
  const variances: number[] = []
  const every = Math.max(1, Math.ceil((width * height) / (TILE * TILE * MOST_TILES)))
  let tile = 0
  for (let top = 1; top + 1 < height; top += TILE) {
    for (let left = 1; left + 1 < width; left += TILE) {
      if (tile++ % every !== 0) continue
      const variance = laplacianVariance(
        grey,
        width,
        left,
        top,
        Math.min(left + TILE, width - 1),
        Math.min(top + TILE, height - 1),
      )
      if (variance !== null) variances.push(variance)
    }
  }
  if (variances.length === 0) return null
  variances.sort((a, b) => b - a)
  const sharpest = variances.slice(0, Math.max(1, Math.ceil(variances.length / 10)))
  return sharpest.reduce((total, variance) => total + variance, 0) / sharpest.length
}

/** Variance of the Laplacian in a window; null when the window shows nothing (contrast under 16 of 255). */
function laplacianVariance(
  grey: Uint8Array,
  width: number,
  left: number,
  top: number,
  right: number,
  bottom: number,
): number | null {
  let darkest = 255
  let lightest = 0
  let sum = 0
  let squares = 0
  for (let y = top; y < bottom; y++) {
    for (let x = left, at = y * width + left; x < right; x++, at++) {
      const here = grey[at] as number
      if (here < darkest) darkest = here
      if (here > lightest) lightest = here
      const around =
        (grey[at - 1] as number) +
        (grey[at + 1] as number) +
        (grey[at - width] as number) +
        (grey[at + width] as number)
      const edge = 4 * here - around
      sum += edge
      squares += edge * edge
    }
  }
  if (lightest - darkest < 16) return null
  const samples = (right - left) * (bottom - top)
  return squares / samples - (sum / samples) ** 2
}

/** A step of more is a contour of the picture itself, which may lie on the grid by chance or by design. */
const GREATEST_STEP = 32

/**
 * Mean step across the 8 px grid against the mean step one pixel beside it, horizontally and vertically. Every fourth
 * row and column is enough.
 */
function measureBlockiness(grey: Uint8Array, width: number, height: number): number | null {
  if (width < 64 || height < 64) return null
  let [onGrid, onGridCount, beside, besideCount] = [0, 0, 0, 0]
  const look = (at: number, stride: number) => {
    const before = Math.abs((grey[at - stride] as number) - (grey[at - 2 * stride] as number))
    const across = Math.abs((grey[at] as number) - (grey[at - stride] as number))
    const after = Math.abs((grey[at + stride] as number) - (grey[at] as number))
    if (across <= GREATEST_STEP) {
      onGrid += across
      onGridCount++
    }
    if (before <= GREATEST_STEP) {
      beside += before
      besideCount++
    }
    if (after <= GREATEST_STEP) {
      beside += after
      besideCount++
    }
  }
  for (let y = 0; y < height; y += 4) {
    for (let x = 8; x + 1 < width; x += 8) look(y * width + x, 1)
  }
  for (let y = 8; y + 1 < height; y += 8) {
    for (let x = 0; x < width; x += 4) look(y * width + x, width)
  }
  if (onGridCount === 0 || besideCount === 0) return null
  // Half a grey level of noise floor, or two flat pictures would be compared by their rounding.
  return (onGrid / onGridCount + 0.5) / (beside / besideCount + 0.5)
}

function measurePaleEdge(grey: Uint8Array, width: number, height: number): number {
  let pale = 0
  let ring = 0
  const look = (at: number) => {
    ring++
    if ((grey[at] as number) >= PALE_LUMA) pale++
  }
  for (let x = 0; x < width; x++) {
    look(x)
    if (height > 1) look((height - 1) * width + x)
  }
  for (let y = 1; y + 1 < height; y++) {
    look(y * width)
    if (width > 1) look(y * width + width - 1)
  }
  return pale / ring
}

/**
 * Difference hash (9 × 8 means, each compared with its right neighbour): survives re-saving and scaling. A picture
 * whose means hardly differ has no such hash, or all flat pictures would look the same.
 */
function differenceHash(grey: Uint8Array, width: number, height: number): string | null {
  if (width < 9 || height < 8) return null
  const means: number[] = []
  for (let row = 0; row < 8; row++) {
    const top = Math.floor((row * height) / 8)
    const bottom = Math.floor(((row + 1) * height) / 8)
    for (let column = 0; column < 9; column++) {
      const left = Math.floor((column * width) / 9)
      const right = Math.floor(((column + 1) * width) / 9)
      let sum = 0
      for (let y = top; y < bottom; y++) {
        for (let x = left, at = y * width + left; x < right; x++, at++) sum += grey[at] as number
      }
      means.push(sum / ((bottom - top) * (right - left)))
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

/** Differing bits of two difference hashes, 0..64. */
export function hashDistance(a: string, b: string): number {
  let differing = BigInt(`0x${a}`) ^ BigInt(`0x${b}`)
  let bits = 0
  for (; differing > 0n; differing &= differing - 1n) bits++
  return bits
}
