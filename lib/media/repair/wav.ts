import { ByteSource } from '../formats/byte-source'
import { readChunks } from '../formats/riff'
import { Output } from './output'

/** Makes the samples of a WAVE file louder or quieter where they lie; every other byte stays. True where that was possible. */
export function gainWav(from: string, into: string, gainDb: number): boolean {
  const source = new ByteSource(from)
  try {
    if (source.bytes(0, 4).toString('latin1') !== 'RIFF') return false
    const chunks = readChunks(source, 12, source.size)
    const format = chunks.find(({ id }) => id === 'fmt ')
    const data = chunks.find(({ id }) => id === 'data')
    if (!format || !data) return false
    const fields = Buffer.from(source.bytes(format.offset, format.length))
    const coding = fields.readUInt16LE(0)
    const bits = fields.readUInt16LE(14)
    // The sub-format of the extensible form begins with the same number.
    const kind = coding === 0xfffe && fields.length >= 26 ? fields.readUInt16LE(24) : coding
    const louder = LOUDER[`${kind}/${bits}`]
    if (!louder) return false
    const output = new Output(into)
    try {
      output.copy(source, 0, data.offset)
      const factor = 10 ** (gainDb / 20)
      const step = (bits / 8) * 65_536
      for (let at = 0; at < data.length; at += step) {
        const bytes = Buffer.from(source.bytes(data.offset + at, Math.min(step, data.length - at)))
        for (let place = 0; place + bits / 8 <= bytes.length; place += bits / 8) louder(bytes, place, factor)
        output.write(bytes)
      }
      output.copy(source, data.offset + data.length, source.size)
      return true
    } finally {
      output.close()
    }
  } finally {
    source.close()
  }
}

/** Noise of a step to both sides, so that quiet passages keep their shape (AES17 dither, triangular). */
const dither = () => Math.random() - Math.random()
const integer = (value: number, most: number) => Math.max(-most - 1, Math.min(most, Math.round(value)))

/** By kind (1: integers, 3: floating point) and bits of a sample. */
const LOUDER: Readonly<Record<string, (bytes: Buffer, at: number, factor: number) => void>> = {
  '1/16': (bytes, at, factor) => bytes.writeInt16LE(integer(bytes.readInt16LE(at) * factor + dither(), 0x7fff), at),
  '1/24': (bytes, at, factor) => bytes.writeIntLE(integer(bytes.readIntLE(at, 3) * factor + dither(), 0x7fffff), at, 3),
  '1/32': (bytes, at, factor) => bytes.writeInt32LE(integer(bytes.readInt32LE(at) * factor, 0x7fffffff), at),
  '3/32': (bytes, at, factor) => bytes.writeFloatLE(bytes.readFloatLE(at) * factor, at),
}
