import type { ByteSource } from '../byte-source'
import { corrupt } from '../defect'
import { readChildren } from '../video/iso-boxes'
import type { Description } from './heif-items'

/** An image that is put together of others, as telephones write it. */
export type HeifGrid = {
  /** The ids of its images, row by row. */
  tiles: number[]
  columns: number
  rows: number
  /** Pixels of the whole; what reaches beyond it at the right and at the bottom is not shown. */
  width: number
  height: number
}

/**
 * The grid of the main image (ISO/IEC 23008-12, 6.6.2.3); null where that is no grid.
 *
 * @throws Defect for one that does not name as many images as it has places
 */
export function readGrid(source: ByteSource, { boxes, items, main }: Description): HeifGrid | null {
  if (main.type !== 'grid') return null
  const [extent] = main.extents
  if (!extent) throw corrupt('the grid of its main image has no data')
  const data = main.inData ? boxes.find(({ type }) => type === 'idat') : { offset: 0, length: source.size }
  if (!data || extent.offset + extent.length > data.length) throw corrupt('the grid of its main image is cut short')
  const bytes = source.bytes(data.offset + extent.offset, extent.length, 'the grid')
  const isWide = ((bytes[1] ?? 0) & 1) === 1
  if (bytes.length < (isWide ? 12 : 8)) throw corrupt('the grid of its main image is cut short')
  const number = (at: number) => (isWide ? bytes.readUInt32BE(4 + at * 4) : bytes.readUInt16BE(4 + at * 2))
  const [rows, columns] = [bytes.readUInt8(2) + 1, bytes.readUInt8(3) + 1]
  const tiles = readReferences(source, boxes, main.id)
  if (tiles.length !== rows * columns)
    throw corrupt(`its main image has ${rows * columns} places in a grid, and names ${tiles.length} images for them`)
  const lost = tiles.find((id) => !items.some((item) => item.id === id))
  if (lost !== undefined) throw corrupt(`image ${lost} of the grid of its main image is not described`)
  return { tiles, columns, rows, width: number(0), height: number(1) }
}

/** The images that an image is derived from, in order (dimg, ISO/IEC 14496-12, 8.11.12). */
function readReferences(source: ByteSource, boxes: ReturnType<typeof readChildren>, fromId: number): number[] {
  const holder = boxes.find(({ type }) => type === 'iref')
  if (!holder) return []
  const width = source.bytes(holder.offset, 1).readUInt8(0) === 0 ? 2 : 4
  for (const { type, offset, length } of readChildren(source, holder, 4)) {
    if (type !== 'dimg' || source.bytes(offset, width, 'a reference').readUIntBE(0, width) !== fromId) continue
    const count = source.bytes(offset + width, 2, 'a reference').readUInt16BE(0)
    if (width + 2 + count * width > length) throw corrupt('the table of its references is cut short')
    const ids = source.bytes(offset + width + 2, count * width, 'a reference')
    return Array.from({ length: count }, (_, index) => ids.readUIntBE(index * width, width))
  }
  return []
}
