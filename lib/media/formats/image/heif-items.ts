import type { ByteSource } from '../byte-source'
import { corrupt } from '../defect'
import { type Box, readChildren } from '../video/iso-boxes'

/** What a HEIF file is made of: images and notes, by the tables of its description (meta box). */

export type Item = {
  id: number
  type: string
  /** In the order in which the file associates them. */
  properties: Box[]
  extents: { offset: number; length: number }[]
  inData: boolean
}

export type Description = {
  /** The parts of the meta box. */
  boxes: Box[]
  items: Item[]
  main: Item
  /** How the main image is turned and mirrored for display, as EXIF counts it. */
  orientation: number
}

/** What the file is made of, and which of it is its main image; null where it has no description. */
export function readDescription(source: ByteSource, meta: Box | undefined): Description | null {
  if (!meta) return null
  const boxes = readChildren(source, meta, 4)
  const information = boxes.find((box) => box.type === 'iinf')
  const locations = boxes.find((box) => box.type === 'iloc')
  const primary = boxes.find((box) => box.type === 'pitm')
  if (!information || !locations || !primary)
    throw corrupt('the description of its images is not complete (iinf, iloc, pitm)')
  const properties = readProperties(source, boxes)
  const places = readLocations(source, locations)
  const items = readTypes(source, information).map(({ id, type }) => {
    const place = places.get(id)
    return {
      id,
      type,
      properties: properties.get(id) ?? [],
      extents: place?.extents ?? [],
      inData: place?.method === 1,
    }
  })
  const wide = source.bytes(primary.offset, 1).readUInt8(0) > 0
  const primaryId = wide
    ? source.bytes(primary.offset + 4, 4).readUInt32BE(0)
    : source.bytes(primary.offset + 4, 2).readUInt16BE(0)
  const main = items.find((item) => item.id === primaryId)
  if (!main) throw corrupt(`its main image, item ${primaryId}, is not described`)
  return { boxes, items, main, orientation: readOrientation(source, main) }
}

/** Orientations of EXIF by clockwise quarters, of what is not mirrored and of what is mirrored from side to side before. */
const UPRIGHT = [1, 6, 3, 8]
const MIRRORED = [2, 7, 4, 5]

/**
 * What the rotations (irot: quarters against the clock) and mirrors (imir: 0 exchanges top and bottom, 1 the sides) of an
 * item come to, one after the other in the order of their association (ISO/IEC 23008-12, 6.5.10, 6.5.12).
 */
function readOrientation(source: ByteSource, { properties }: Item): number {
  let quarters = 0
  let isMirrored = false
  for (const { type, offset, length } of properties) {
    if ((type !== 'irot' && type !== 'imir') || length < 1) continue
    const value = source.bytes(offset, 1).readUInt8(0)
    if (type === 'irot') quarters -= value & 3
    else {
      // A mirror after a rotation is one before the rotation to the other side.
      quarters = ((value & 1) === 0 ? 2 : 0) - quarters
      isMirrored = !isMirrored
    }
  }
  return (isMirrored ? MIRRORED : UPRIGHT)[((quarters % 4) + 4) % 4] ?? 1
}

function readTypes(source: ByteSource, information: Box): { id: number; type: string }[] {
  const version = source.bytes(information.offset, 1).readUInt8(0)
  return readChildren(source, information, version === 0 ? 6 : 8)
    .filter((box) => box.type === 'infe')
    .map((box) => {
      const entry = source.bytes(box.offset, 1).readUInt8(0)
      if (entry < 2) return { id: source.bytes(box.offset + 4, 2).readUInt16BE(0), type: '' }
      const width = entry === 2 ? 2 : 4
      const id = source.bytes(box.offset + 4, width).readUIntBE(0, width)
      return { id, type: source.bytes(box.offset + 6 + width, 4).toString('latin1') }
    })
}

/** Item location box (ISO/IEC 14496-12, 8.11.3). */
function readLocations(
  source: ByteSource,
  box: Box,
): Map<number, { method: number; extents: { offset: number; length: number }[] }> {
  const places = new Map<number, { method: number; extents: { offset: number; length: number }[] }>()
  const version = source.bytes(box.offset, 1).readUInt8(0)
  let at = box.offset + 4
  const number = (width: number) => {
    if (at + width > box.offset + box.length) throw corrupt('the table of its images is cut short')
    const bytes = source.bytes(at, width)
    at += width
    return width === 0 ? 0 : width === 8 ? Number(bytes.readBigUInt64BE(0)) : bytes.readUIntBE(0, width)
  }
  const sizes = number(2)
  const [offsetSize, lengthSize, baseSize, indexSize] = [
    (sizes >> 12) & 15,
    (sizes >> 8) & 15,
    (sizes >> 4) & 15,
    version > 0 ? sizes & 15 : 0,
  ]
  const count = number(version < 2 ? 2 : 4)
  for (let index = 0; index < count; index += 1) {
    const id = number(version < 2 ? 2 : 4)
    const method = version > 0 ? number(2) & 15 : 0
    number(2)
    const base = number(baseSize)
    const extents = Array.from({ length: number(2) }, () => {
      number(indexSize)
      const offset = base + number(offsetSize)
      return { offset, length: number(lengthSize) }
    })
    places.set(id, { method, extents })
  }
  return places
}

/** The properties each item is associated with, in that order (ISO/IEC 23008-12, 9.3). */
function readProperties(source: ByteSource, boxes: Box[]): Map<number, Box[]> {
  const found = new Map<number, Box[]>()
  const holder = boxes.find((box) => box.type === 'iprp')
  if (!holder) return found
  const parts = readChildren(source, holder)
  const container = parts.find((box) => box.type === 'ipco')
  const all = container ? readChildren(source, container) : []
  for (const association of parts.filter((box) => box.type === 'ipma')) {
    const version = source.bytes(association.offset, 1).readUInt8(0)
    const isWide = (source.bytes(association.offset + 3, 1).readUInt8(0) & 1) === 1
    const count = source.bytes(association.offset + 4, 4).readUInt32BE(0)
    let at = association.offset + 8
    const idWidth = version < 1 ? 2 : 4
    for (let index = 0; index < count; index += 1) {
      const id = source.bytes(at, idWidth, 'a property').readUIntBE(0, idWidth)
      const associations = source.bytes(at + idWidth, 1, 'a property').readUInt8(0)
      at += idWidth + 1
      for (let each = 0; each < associations; each += 1) {
        const property = isWide ? source.bytes(at, 2).readUInt16BE(0) & 0x7fff : source.bytes(at, 1).readUInt8(0) & 0x7f
        at += isWide ? 2 : 1
        const box = all[property - 1]
        if (property > 0 && box === undefined)
          throw corrupt(`item ${id} refers to property ${property} of ${all.length}`)
        if (box !== undefined) found.set(id, [...(found.get(id) ?? []), box])
      }
      if (at > association.offset + association.length) throw corrupt('the table of its properties is cut short')
    }
  }
  return found
}
