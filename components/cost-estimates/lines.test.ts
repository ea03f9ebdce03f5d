import { expect, test } from 'vitest'
import { MAX_LINES } from '@/lib/domain/cost-estimates/schema'
import { type DraftLine, emptyLine } from './draft'
import { changeLines, type LinesAction, placeOfPasted, roomFor } from './lines'

const line = (description: string): DraftLine => ({ ...emptyLine(), description })
const [a, b, c, d] = [line('a'), line('b'), line('c'), line('d')]
const blank = emptyLine()

test.each<[string, DraftLine[], LinesAction, DraftLine[]]>([
  ['adds after a line', [a, b], { type: 'add', after: 0, line: c }, [a, c, b]],
  ['adds after the last', [a, b], { type: 'add', after: 1, line: c }, [a, b, c]],
  ['moves down', [a, b, c, d], { type: 'move', from: 0, to: 2 }, [b, c, a, d]],
  ['moves up', [a, b, c, d], { type: 'move', from: 3, to: 1 }, [a, d, b, c]],
  ['moves to where it is', [a, b], { type: 'move', from: 1, to: 1 }, [a, b]],
  ['removes', [a, b, c], { type: 'remove', row: 1, blank }, [a, c]],
  ['keeps an empty line in the place of the last', [a], { type: 'remove', row: 0, blank }, [blank]],
  ['pastes below a line that says something', [a, b], { type: 'paste', row: 0, lines: [c, d] }, [a, c, d, b]],
  ['pastes in the place of an empty line', [a, blank, b], { type: 'paste', row: 1, lines: [c, d] }, [a, c, d, b]],
])('%s', (_what, lines, action, expected) => {
  const before = [...lines]
  expect(changeLines(lines, action)).toEqual(expected)
  expect(lines).toEqual(before)
})

test('a change replaces its line, and leaves the others what they are', () => {
  const [first, second] = changeLines([a, b], { type: 'change', row: 1, to: { quantity: '3' } })
  expect(first).toBe(a)
  expect(second).toEqual({ ...b, quantity: '3' })
  expect(b.quantity).toBe('1')
})

test('pasted lines begin in an empty row, and below any other', () => {
  expect(placeOfPasted([a, blank], 1)).toBe(1)
  expect(placeOfPasted([a, blank], 0)).toBe(1)
  expect(placeOfPasted([{ ...blank, unitPrice: '5' }], 0)).toBe(1)
  expect(roomFor([blank])).toBe(MAX_LINES)
})
