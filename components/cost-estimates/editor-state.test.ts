import { expect, test } from 'vitest'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { type Draft, emptyDraft, emptyLine, isSameRequest, requestOf } from './draft'
import { type EditorState, editorReducer, errorsByRow, openEditor, problemsLeft } from './editor-state'

const draft: Draft = {
  ...emptyDraft(),
  title: 'Spots',
  lines: [{ ...emptyLine(), description: 'Cut', unitPrice: '5' }],
}
const opened = openEditor(draft, '"1"')
const isChanged = ({ draft, saved }: EditorState) => !isSameRequest(requestOf(draft), saved)
const theirs = { estimate: { number: 'E-1' } as Estimate, etag: '"2"', by: null }
const problem = {
  path: 'line_items.0.quantity',
  code: 'invalid_type',
  message: 'line_items.0.quantity: Expected a number',
}

test('what is typed is a change until it is saved', () => {
  const typed = editorReducer(opened, { type: 'set', values: { title: 'Two spots' } })
  expect([isChanged(opened), isChanged(typed)]).toEqual([false, true])
  const saved = editorReducer(typed, { type: 'saved', request: requestOf(typed.draft) })
  expect(isChanged(saved)).toBe(false)
  expect(saved.draft).toBe(typed.draft)
})

test('lines and currency change within the draft, and nothing else does', () => {
  const added = editorReducer(opened, { type: 'lines', change: { type: 'add', after: 0, line: emptyLine() } })
  expect(added.draft.lines).toHaveLength(2)
  expect(added.draft.lines[0]).toBe(draft.lines[0])
  const converted = editorReducer(opened, { type: 'convert', currency: 'JPY' })
  expect(converted.draft).toMatchObject({ currency: 'JPY', title: 'Spots' })
  const dollars = editorReducer(opened, {
    type: 'lines',
    change: { type: 'change', row: 0, to: { unitPrice: '$900' } },
  })
  expect(editorReducer(dollars, { type: 'drop foreign signs' }).draft.lines[0]?.unitPrice).toBe('900.00')
})

test('their version can be taken, and what was typed before comes back', () => {
  const typed = editorReducer(opened, { type: 'set', values: { title: 'Mine' } })
  const met = editorReducer(typed, { type: 'met', theirs })
  expect([met.conflict, met.draft]).toEqual([theirs, typed.draft])
  const taken = editorReducer(met, { type: 'take theirs', draft: { ...draft, title: 'Theirs' }, etag: theirs.etag })
  expect(taken).toMatchObject({ draft: { title: 'Theirs' }, mine: { title: 'Mine' }, etag: '"2"', conflict: null })
  expect(isChanged(taken)).toBe(false)
  const back = editorReducer(taken, { type: 'take mine' })
  expect(back).toMatchObject({ draft: { title: 'Mine' }, mine: null, etag: '"2"' })
  expect(isChanged(back)).toBe(true)
  expect(editorReducer(back, { type: 'take mine' }).draft).toBe(back.draft)
})

test('a problem is left until its value changes, and none after a save', () => {
  const request = requestOf(draft)
  const refused = editorReducer(opened, { type: 'refused', problems: [problem], request })
  expect(problemsLeft(refused.refused, request)).toEqual([problem])
  const fixed = editorReducer(refused, { type: 'lines', change: { type: 'change', row: 0, to: { quantity: '2' } } })
  expect(problemsLeft(fixed.refused, requestOf(fixed.draft))).toEqual([])
  expect(editorReducer(refused, { type: 'saved', request }).refused.problems).toEqual([])
})

test('problems stand in the row of their line: blank lines are not sent', () => {
  const blankFirst = { ...draft, lines: [emptyLine(), ...draft.lines] }
  expect([...errorsByRow([problem], blankFirst, [])]).toEqual([[1, { quantity: 'Expected a number' }]])
  expect([...errorsByRow([], draft, [{ row: 0 }])]).toEqual([[0, { unitPrice: 'Not in EUR' }]])
})

test('an estimate that is gone stays gone', () => {
  expect(editorReducer(opened, { type: 'gone' }).isGone).toBe(true)
})
