import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * API tokens: `gr_`, 32 random base62 characters (190 bits), 6 characters of CRC-32 over what stands before.
 * The prefix lets secret scanners find them, the checksum distinguishes a typo from a revoked token without a look-up.
 */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `length` random base62 characters from the system's generator. */
export const randomBase62 = (length: number) => Array.from({ length }, () => BASE62[randomInt(62)]).join('')

export function newToken(): string {
  const body = `gr_${randomBase62(32)}`
  return body + checksum(body)
}

export const isWellFormedToken = (token: string) =>
  /^gr_[0-9A-Za-z]{38}$/.test(token) && checksum(token.slice(0, 35)) === token.slice(35)

function checksum(text: string) {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
