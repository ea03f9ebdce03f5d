type Samples = {
  width: number
  height: number
  channels: 3 | 4
  profile: Uint8Array | null
  /** How the image is turned and mirrored to be seen upright (TIFF 6.0, section 8, Orientation), which EXIF has taken over. */
  orientation: number
}

const SHORT = 3
const LONG = 4
const UNDEFINED = 7

/** What stands before the rows of an uncompressed TIFF of 8 bits RGB or RGBA (TIFF 6.0, sections 2, 6, 18; ICC.1:2022, B.4). */
export function tiffHead({ width, height, channels, profile, orientation }: Samples): Buffer {
  const bits = Buffer.alloc(8)
  for (let channel = 0; channel < 4; channel++) bits.writeUInt16LE(8, channel * 2)
  const entries: [tag: number, type: number, count: number, value: number | Uint8Array][] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, bits.subarray(0, channels * 2)],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, 1, 0],
    [274, SHORT, 1, orientation],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, width * height * channels],
    [284, SHORT, 1, 1],
  ]
  // Straight alpha.
  if (channels === 4) entries.push([338, SHORT, 1, 2])
  if (profile) entries.push([34_675, UNDEFINED, profile.length, profile])
  const tableEnd = 8 + 2 + entries.length * 12 + 4
  const extra = entries.reduce((sum, [, , , value]) => sum + (typeof value === 'number' ? 0 : even(value.length)), 0)
  const head = Buffer.alloc(tableEnd + extra)
  head.write('II', 'latin1')
  head.writeUInt16LE(42, 2)
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(entries.length, 8)
  let free = tableEnd
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    if (typeof value === 'number') head.writeUInt32LE(tag === 273 ? head.length : value, at + 8)
    else {
      head.writeUInt32LE(free, at + 8)
      head.set(value, free)
      free += even(value.length)
    }
  }
  return head
}

const even = (length: number) => length + (length % 2)

/** Whether an ICC profile is one of RGB (7.2.6): one of inks says nothing about what was decoded to RGB. */
export const isRgbProfile = (profile: Uint8Array) =>
  profile.length >= 128 && String.fromCharCode(...profile.subarray(16, 20)) === 'RGB '
