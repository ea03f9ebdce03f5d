import sharp from 'sharp'
import { TILE_SIZE } from '@/lib/domain/tiles/rules'
import { Typesetter } from '@/lib/pdf/typesetter'
import { outline } from '../annotate/outlines'

/** Widest a name is drawn, pixels of a tile: it is read as a whole in each. */
const WIDEST = 400
const LARGEST = 30
const LEAST = 9
/** Characters; what is longer is cut. */
const LONGEST = 90
const TURNED = -24
/** Where the name stands in a tile. */
const PLACES = [
  [0.25, 0.27],
  [0.75, 0.77],
] as const
/** As many names are kept drawn: a megabyte each. */
const KEPT = 16

const drawn = new Map<string, Promise<Buffer>>()

/**
 * A tile of an image with a name drawn into its pixels, PNG: half of what lies below is seen through it. The drawing goes on
 * from tile to tile. Tiles are ours, so that they are decoded here.
 */
export async function markTile(tile: Buffer, name: string): Promise<Buffer> {
  const { width = 0, height = 0 } = await sharp(tile).metadata()
  const layer = await layerOf(name)
  const raw = { width: TILE_SIZE, height: TILE_SIZE, channels: 4 as const }
  const part =
    width === TILE_SIZE && height === TILE_SIZE
      ? layer
      : await sharp(layer, { raw }).extract({ left: 0, top: 0, width, height }).raw().toBuffer()
  return sharp(tile)
    .composite([{ input: part, raw: { ...raw, width, height } }])
    .png({ compressionLevel: 3 })
    .toBuffer()
}

function layerOf(name: string): Promise<Buffer> {
  const known = drawn.get(name)
  if (known) return known
  const layer = drawLayer(name)
  drawn.set(name, layer)
  // One that failed is tried again.
  layer.catch(() => drawn.delete(name))
  const [oldest] = drawn.keys()
  if (drawn.size > KEPT && oldest !== undefined) drawn.delete(oldest)
  return layer
}

/** The name over one tile, as raw RGBA. What leaves it on one side comes in on the other. */
async function drawLayer(name: string): Promise<Buffer> {
  const characters = Array.from(name)
  const text = characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : name
  const set = await Typesetter.for([text])
  const wide = outline(set, text, LARGEST).width || 1
  const size = Math.max(LEAST, Math.min(LARGEST, (LARGEST * WIDEST) / wide))
  const { width, paths } = outline(set, text, size)
  const path = pathOf(paths)
  const around = [-1, 0, 1]
  const placed = PLACES.flatMap(([x, y]) =>
    around.flatMap((dx) => around.map((dy) => [(x + dx) * TILE_SIZE, (y + dy) * TILE_SIZE] as const)),
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE_SIZE}" height="${TILE_SIZE}">${placed
    .map(
      ([x, y]) =>
        `<g transform="translate(${x} ${y}) rotate(${TURNED}) translate(${-width / 2} ${size / 3}) scale(1 -1)"><path d="${path}" fill="none" stroke="#000" stroke-opacity="0.35" stroke-width="2.5" stroke-linejoin="round"/><path d="${path}" fill="#fff" fill-opacity="0.5"/></g>`,
    )
    .join('')}</svg>`
  return sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer()
}

const LETTERS: Readonly<Record<string, string>> = { m: 'M', l: 'L', c: 'C', h: 'Z' }

/** Operators of a content stream, each behind its numbers, as the path of an SVG. */
function pathOf(operators: string): string {
  let numbers: string[] = []
  const written: string[] = []
  for (const token of operators.split(/\s+/)) {
    const letter = LETTERS[token]
    if (letter === undefined) {
      if (token !== '' && Number.isFinite(Number(token))) numbers.push(token)
      continue
    }
    written.push(`${letter}${numbers.join(' ')}`)
    numbers = []
  }
  return written.join('')
}
