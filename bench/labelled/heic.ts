import { readFileSync, rmSync } from 'node:fs'
import { type Painter, writeMedia } from './media'

/** HEIC (ISO/IEC 23008-12): one picture by x265, and an EXIF block beside it where there is one. */
export function heic(scratch: string, width: number, height: number, paint: Painter, exif?: Buffer): Buffer {
  const film = `${scratch}.mp4`
  writeMedia(film, { video: { codec: 'hevc', width, height, frames: 6, paint } })
  const coded = readFileSync(film)
  rmSync(film)
  const found = (type: string) => {
    const at = coded.indexOf(type, 0, 'latin1') - 4
    return coded.subarray(at, at + coded.readUInt32BE(at))
  }
  // The first sample is a whole picture; the table tells its size behind version, common size and count.
  const picture = found('mdat').subarray(8, 8 + found('stsz').readUInt32BE(20))
  const block = exif && Buffer.concat([u32(0), exif])
  const items = [picture, ...(block ? [block] : [])]
  const entry = (id: number, type: string) => full('infe', 2, 0, u16(id), u16(0), Buffer.from(`${type}\0`))
  const properties = box('ipco', found('hvcC'), full('ispe', 0, 0, u32(width), u32(height)))
  const layout = (offset: number) => {
    let at = offset
    const places = items.flatMap((item, index) => {
      const place = [u16(index + 1), u16(0), u16(1), u32(at), u32(item.length)]
      at += item.length
      return place
    })
    return full(
      'meta',
      0,
      0,
      full('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', 0, 0, u16(1)),
      full('iinf', 0, 0, u16(items.length), entry(1, 'hvc1'), ...(block ? [entry(2, 'Exif')] : [])),
      full('iloc', 0, 0, Buffer.from([0x44, 0]), u16(items.length), ...places),
      ...(block ? [full('iref', 0, 0, box('cdsc', u16(2), u16(1), u16(1)))] : []),
      box('iprp', properties, full('ipma', 0, 0, u32(1), u16(1), Buffer.from([2, 0x81, 2]))),
    )
  }
  const type = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'))
  const data = type.length + layout(0).length + 8
  return Buffer.concat([type, layout(data), box('mdat', ...items)])
}

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type), ...parts])
  return Buffer.concat([u32(body.length + 4), body])
}
const full = (type: string, version: number, flags: number, ...parts: Buffer[]) =>
  box(type, u32((version << 24) | flags), ...parts)
