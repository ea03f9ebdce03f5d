import { describe, expect, it } from 'vitest'
import { isWellFormedToken, newToken } from './token-format'

describe('an API token', () => {
  it('is gr_, 32 random characters and 6 of a checksum, all base62', () => {
    const tokens = Array.from({ length: 200 }, newToken)
    for (const token of tokens) {
      expect(token).toMatch(/^gr_[0-9A-Za-z]{38}$/)
      expect(isWellFormedToken(token)).toBe(true)
    }
    expect(new Set(tokens).size).toBe(200)
  })

  it('ends in the CRC-32 of what stands before it, in base62, most significant digit first', () => {
    // CRC-32 (ISO 3309) of `gr_` and 32 zeros computed here bit by bit, apart from zlib.
    const body = `gr_${'0'.repeat(32)}`
    let crc = 0xffffffff
    for (const byte of Buffer.from(body)) {
      crc ^= byte
      for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    }
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    let rest = (crc ^ 0xffffffff) >>> 0
    let checksum = ''
    for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) checksum = digits.charAt(rest % 62) + checksum
    expect(isWellFormedToken(body + checksum)).toBe(true)
  })

  it('is distinguished from a typo in any one place without a look-up', () => {
    const token = newToken()
    for (let at = 3; at < token.length; at++) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isWellFormedToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    }
  })

  it.each([
    '',
    'gr_',
    ' ',
    newToken().slice(0, -1),
    `${newToken()}0`,
    newToken().replace('gr_', 'gh_'),
    `${newToken()}\n`,
  ])('is not %j', (text) => expect(isWellFormedToken(text)).toBe(false))
})
