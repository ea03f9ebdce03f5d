import { corrupt } from './defect'

/**
 * Text in the encoding that its byte order mark names, or in UTF-8.
 * @throws a defect where it is not valid in that
 */
export function decodeUnicode(bytes: Buffer): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw corrupt(`its text is not valid ${encoding.toUpperCase()}`)
  }
}
