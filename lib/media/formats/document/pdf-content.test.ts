import { expect, test } from 'vitest'
import { BLACK, type Colour, readPainted } from './pdf-content'

const read = (content: string, initial: Colour | null = null) => readPainted(Buffer.from(content, 'latin1'), initial)
/** The spaces of the colours, `*` for one that was set before. */
const painted = (content: string, initial: Colour | null = null) => [
  ...new Set(read(content, initial).flatMap((each) => (each.what === 'colour' ? [each.colour?.space ?? '*'] : []))),
]

test.each([
  ['a path that is filled', '1 0 0 rg 0 0 9 9 re f', ['DeviceRGB']],
  ['a path that is stroked', '0 1 0 0 K 0 0 m 9 9 l S', ['DeviceCMYK']],
  ['a path that is both', '0 g 1 0 0 RG 0 0 9 9 re b*', ['DeviceGray', 'DeviceRGB']],
  ['a text that is shown', '0 0 0 1 k BT (1 0 0 rg 0 0 9 9 re f) Tj ET', ['DeviceCMYK']],
  ['a space set by its name', '/DeviceRGB cs 1 0 0 sc 0 0 9 9 re f', ['DeviceRGB']],
  ['a space of the resources', '/Spot cs 1 scn 0 0 9 9 re f', ['Spot']],
  ['an image within the stream', 'BI /W 1 /H 1 /BPC 8 /CS /RGB ID EIx EI 0 0 9 9 re f', ['DeviceRGB', '*']],
  ['a stencil within the stream', '0 0 1 rg BI /W 1 /H 1 /IM true ID x EI', ['DeviceRGB']],
])('%s paints with its space', (_, content, spaces) => {
  expect(painted(content)).toEqual(spaces)
})

test.each([
  ['what is set and never used', '1 0 0 rg 0 0 1 0 k 0 0 9 9 re f', ['DeviceCMYK']],
  ['what is used only to clip', '1 0 0 rg 0 0 9 9 re W n', []],
  ['text that is invisible', '1 0 0 rg BT 3 Tr (read by machines) Tj ET', []],
  ['a colour that a restored state has forgotten', '0 g q 1 0 0 rg Q 0 0 9 9 re f', ['DeviceGray']],
  ['a space that is named and then left', '/Spot cs 1 scn 0 g 0 0 9 9 re f', ['DeviceGray']],
])('%s does not paint', (_, content, spaces) => {
  expect(painted(content)).toEqual(spaces)
})

test('a page begins in grey, and a drawing within it in whatever the page has', () => {
  expect(painted('0 0 9 9 re f', BLACK)).toEqual(['DeviceGray'])
  expect(painted('0 0 9 9 re f')).toEqual(['*'])
})

test('content that breaks off reports what it painted before', () => {
  expect(painted('1 0 0 rg 0 0 9 9 re f BT (never closed')).toEqual(['DeviceRGB'])
})

test('a font counts where text is seen in it, an object where it is drawn, a state where something is painted under it', () => {
  const named = (content: string) =>
    read(content).flatMap((each) => ('name' in each ? [each.name] : each.what === 'text' ? [each.font] : []))
  expect(named('BT /F1 9 Tf (a) Tj ET')).toEqual(['F1'])
  expect(named('BT /F1 9 Tf /F2 9 Tf (a) Tj ET')).toEqual(['F2'])
  expect(named('BT /F1 9 Tf 3 Tr (a) Tj ET')).toEqual([])
  expect(named('q /Im Do Q /Sh sh')).toEqual(['Im', 'Sh'])
  expect(named('/G gs')).toEqual([])
  expect(named('/G gs /Im Do')).toEqual(['Im', 'G'])
  expect(named('q /G gs Q /Im Do')).toEqual(['Im'])
})

test('a pattern is named with the space it is set in', () => {
  expect(read('/Pattern cs /P scn 0 0 9 9 re f')).toEqual([
    { what: 'colour', colour: { space: 'Pattern', pattern: 'P' }, isStroke: false },
  ])
})
