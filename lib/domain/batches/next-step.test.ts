import { describe, expect, test } from 'vitest'
import { nextStepOf } from './next-step'

type Facts = Parameters<typeof nextStepOf>[0]
const batch = (facts: Partial<Facts>) =>
  nextStepOf({
    status: 'open',
    projectStatus: 'active',
    hasOperator: true,
    hasLink: true,
    files: 0,
    pending: facts.files ?? 0,
    rejected: 0,
    expected: 0,
    missing: facts.expected ?? 0,
    ...facts,
  })

describe('an open batch', () => {
  test.each<[string, Partial<Facts>, ReturnType<typeof batch>]>([
    ['without a link', { hasLink: false }, 'create_link'],
    ['with a link, empty', {}, 'await_files'],
    ['with 3 of 5 files of its manifest', { files: 3, expected: 5, missing: 2 }, 'await_files'],
    ['with 3 of 5 files, its link over', { files: 3, expected: 5, missing: 2, hasLink: false }, 'create_link'],
    ['with all of its manifest', { files: 5, expected: 5, missing: 0 }, 'submit'],
    ['with all of its manifest, the link over', { files: 5, expected: 5, missing: 0, hasLink: false }, 'submit'],
    ['with files and no manifest', { files: 1 }, 'submit'],
    ['with files and no operator', { files: 1, hasOperator: false }, 'assign_operator'],
  ])('%s', (_, facts, step) => {
    expect(batch(facts)).toBe(step)
  })
})

test('in review the operator decides, then completes', () => {
  expect(batch({ status: 'in_review', files: 5, pending: 2 })).toBe('review')
  expect(batch({ status: 'in_review', files: 5, pending: 0, rejected: 2 })).toBe('complete_review')
})

test('a resupply is complete when nothing rejected is left without a new version, whatever the manifest says', () => {
  const resupply = { status: 'awaiting_resupply', files: 5, expected: 7, missing: 2 } as const
  expect(batch({ ...resupply, pending: 0, rejected: 2 })).toBe('await_new_versions')
  expect(batch({ ...resupply, pending: 1, rejected: 1 })).toBe('await_new_versions')
  expect(batch({ ...resupply, pending: 0, rejected: 2, hasLink: false })).toBe('create_link')
  expect(batch({ ...resupply, pending: 2, rejected: 0 })).toBe('submit_again')
  expect(batch({ ...resupply, pending: 2, rejected: 0, hasOperator: false })).toBe('assign_operator')
})

test('what is approved is delivered, in a closed project too; what is cancelled or paused has no next step', () => {
  expect(batch({ status: 'approved', files: 5, pending: 0 })).toBe('deliver')
  expect(batch({ status: 'approved', files: 5, pending: 0, projectStatus: 'archived' })).toBe('deliver')
  expect(batch({ status: 'cancelled', files: 5 })).toBeNull()
  for (const projectStatus of ['on_hold', 'completed', 'cancelled', 'archived'] as const)
    expect(batch({ projectStatus, files: 5 })).toBeNull()
})
