import { describe, expect, it } from 'vitest'
import { readTextFile } from './read-text-file'

const read = (bytes: number[] | string, most = 1000) =>
  readTextFile(new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], 'table.csv'), most)

describe('the text of a file', () => {
  it.each([
    ['UTF-8', [0xc3, 0xbc]],
    ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0xc3, 0xbc]],
    ['UTF-16, little end first', [0xff, 0xfe, 0xfc, 0x00]],
    ['UTF-16, big end first', [0xfe, 0xff, 0x00, 0xfc]],
    ['Windows-1252', [0xfc]],
  ])('is read from %s', async (_, bytes) => {
    expect(await read(bytes)).toBe('ü')
  })

  it('is not looked for in a workbook, nor in what is too large', async () => {
    await expect(read('PK\x03\x04')).rejects.toThrow('is a workbook. Save it as CSV')
    await expect(read('x'.repeat(1001))).rejects.toThrow('larger than 1 kB')
  })
})
