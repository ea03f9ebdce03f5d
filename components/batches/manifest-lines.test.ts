import { expect, test } from 'vitest'
import { parseManifest } from './manifest-lines'

test('a spreadsheet pasted with tabs gives names and notes, without its heading', () => {
  expect(parseManifest('File name\tNote\nhero_300x250.png\tleading\r\nhero_728x90.png\n\n')).toEqual([
    { name: 'hero_300x250.png', note: 'leading' },
    { name: 'hero_728x90.png', note: null },
  ])
})

test('quoted cells keep their commas and doubled quotes', () => {
  expect(parseManifest('"a, b.png","says ""new"""')).toEqual([{ name: 'a, b.png', note: 'says "new"' }])
})

test('semicolons separate where there is no tab', () => {
  expect(parseManifest('a.mp4;30 s;UK')).toEqual([{ name: 'a.mp4', note: '30 s, UK' }])
})
