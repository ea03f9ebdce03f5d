import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashFile } from './hash-file'

describe('the hash of a file', () => {
  it.each([0, 1, 4 * 1024 * 1024, 9 * 1024 * 1024 + 7])('of %i bytes is the SHA-256 of its bytes', async (size) => {
    const bytes = randomBytes(size)
    const shares: number[] = []
    expect(await hashFile(new Blob([bytes]), (share) => shares.push(share))).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    )
    expect(shares.at(-1) ?? 1).toBe(1)
  })

  it('never holds more than a slice of a file, however large it is', async () => {
    let largest = 0
    const huge = {
      size: 3 * 2 ** 30,
      slice: (from: number, to: number) => {
        largest = Math.max(largest, to - from)
        // Of the file's gigabytes it is enough to say how they are asked for.
        return new Blob([])
      },
    } as Blob
    await hashFile(huge)
    expect(largest).toBeLessThanOrEqual(4 * 1024 * 1024)
  })

  it('needs no secure context', async () => {
    const { subtle } = crypto
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
    try {
      expect(await hashFile(new Blob(['abc']))).toBe(createHash('sha256').update('abc').digest('hex'))
    } finally {
      Object.defineProperty(crypto, 'subtle', { value: subtle, configurable: true })
    }
  })
})
