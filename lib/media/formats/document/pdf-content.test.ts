import { expect, test } from 'vitest'
import { paintedSpaces } from './pdf-content'

const painted = (content: string, initial: 'DeviceGray' | null = null) => [
  ...paintedSpaces(Buffer.from(content, 'latin1'), initial),
]

test.each([
  ['a path that is filled', '1 0 0 rg 0 0 9 9 re f', ['DeviceRGB']],
  ['a path that is stroked', '0 1 0 0 K 0 0 m 9 9 l S', ['DeviceCMYK']],
  ['a path that is both', '0 g 1 0 0 RG 0 0 9 9 re b*', ['DeviceGray', 'DeviceRGB']],
  ['a text that is shown', '0 0 0 1 k BT (1 0 0 rg 0 0 9 9 re f) Tj ET', ['DeviceCMYK']],
  ['a space set by its name', '/DeviceRGB cs 1 0 0 sc 0 0 9 9 re f', ['DeviceRGB']],
  ['an image within the stream', 'BI /W 1 /H 1 /BPC 8 /CS /RGB ID EIx EI 0 0 9 9 re f', ['DeviceRGB']],
  ['a stencil within the stream', '0 0 1 rg BI /W 1 /H 1 /IM true ID x EI', ['DeviceRGB']],
])('%s paints with its space', (_, content, spaces) => {
  expect(painted(content)).toEqual(spaces)
})

test.each([
  ['what is set and never used', '1 0 0 rg 0 0 1 0 k 0 0 9 9 re f', ['DeviceCMYK']],
  ['what is used only to clip', '1 0 0 rg 0 0 9 9 re W n', []],
  ['text that is invisible', '1 0 0 rg BT 3 Tr (read by machines) Tj ET', []],
  ['a colour that a restored state has forgotten', '0 g q 1 0 0 rg Q 0 0 9 9 re f', ['DeviceGray']],
  ['a space of the resources, which list it', '1 0 0 rg /Spot cs 1 scn 0 0 9 9 re f', []],
])('%s does not paint', (_, content, spaces) => {
  expect(painted(content)).toEqual(spaces)
})

test('a page begins in grey, and a drawing within it in whatever the page has', () => {
  expect(painted('0 0 9 9 re f', 'DeviceGray')).toEqual(['DeviceGray'])
  expect(painted('0 0 9 9 re f')).toEqual([])
})

test('content that breaks off reports what it painted before', () => {
  expect(painted('1 0 0 rg 0 0 9 9 re f BT (never closed')).toEqual(['DeviceRGB'])
})
