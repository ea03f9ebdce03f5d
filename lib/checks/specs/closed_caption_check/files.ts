import { bad, good } from '../files'
import { clip } from '../video-files'

/** The lowest bit that makes the number of ones odd goes on top (CEA-608-E, 3). */
const odd = (byte: number) => ([...byte.toString(2)].filter((bit) => bit === '1').length % 2 === 1 ? byte : byte | 0x80)
/** CEA-608 of the first field, two characters a frame, then padding. */
const field1 = (text: string) => (frame: number) =>
  Buffer.from([0xfc, odd(text.charCodeAt(frame * 2) || 0), odd(text.charCodeAt(frame * 2 + 1) || 0)])
/** A DTVCC packet with one block of service 1 a frame (CEA-708-E, 5 and 6), then padding. */
const service1 = (text: string) => (frame: number) => {
  const letters = text.slice(frame * 2, frame * 2 + 2).padEnd(2)
  if (frame * 2 >= text.length) return Buffer.from([0xfa, 0, 0])
  return Buffer.from([0xff, 0x02, 0x22, 0xfe, letters.charCodeAt(0), letters.charCodeAt(1)])
}
const beside =
  (...each: ((frame: number) => Buffer)[]) =>
  (frame: number) =>
    Buffer.concat(each.map((make) => make(frame)))

const TEXT = 'GOOD MORNING. WHERE HAVE YOU BEEN?'
const padding = field1('')
const required = (...carriages: string[]) => ({ thresholds: { rule: 'required', carriages } })
const forbidden = { thresholds: { rule: 'forbidden' } }

export const FILES = [
  good('cea-608.mp4', clip({ captions: field1(TEXT) }), required('cea608')),
  good('cea-708.mp4', clip({ captions: beside(padding, service1(TEXT)) }), required('cea708')),
  good('both.mov', clip({ captions: beside(field1(TEXT), service1(TEXT)) }), required('cea608', 'cea708')),
  good('any.mp4', clip({ captions: field1(TEXT) })),
  good('none.mp4', clip(), forbidden),
  good('none.webm', clip({ codec: 'vp9', frames: 12 }), forbidden),
  bad('none-where-required.mp4', clip(), required()),
  bad('padding.mp4', clip({ captions: padding })),
  bad('padding-where-required.mp4', clip({ captions: beside(padding, service1('')) }), required()),
  bad('only-608.mp4', clip({ captions: beside(field1(TEXT), service1('')) }), required('cea608', 'cea708')),
  bad('only-708.mp4', clip({ captions: beside(padding, service1(TEXT)) }), required('cea608')),
  bad('forbidden.mp4', clip({ captions: field1(TEXT) }), forbidden),
  bad('controls-only.mp4', clip({ captions: field1('\x14\x20\x14\x2c\x14\x2f'.repeat(4)) }), required()),
]
