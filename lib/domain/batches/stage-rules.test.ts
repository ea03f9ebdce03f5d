import { describe, expect, test } from 'vitest'
import { openSince, type StageProgress, stateOf, whyNotThrough } from './stage-rules'

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 10, minute))

const stage = (id: string, position: number, given: Partial<StageProgress> = {}): StageProgress => ({
  id,
  name: id,
  position,
  dueAt: null,
  completedAt: null,
  skippedAt: null,
  withdrawnAt: null,
  files: 2,
  approved: 0,
  rejected: 0,
  ...given,
})
const done = { approved: 2, completedAt: at(5) }

describe('where a stage stands', () => {
  test.each<[string, StageProgress[], string[]]>([
    ['one after the other', [stage('a', 1), stage('b', 2)], ['open', 'waiting']],
    ['beside each other', [stage('a', 1), stage('b', 1)], ['open', 'open']],
    ['the first has decided', [stage('a', 1, done), stage('b', 2)], ['done', 'open']],
    [
      'the first has rejected something',
      [stage('a', 1, { approved: 1, rejected: 1 }), stage('b', 2)],
      ['done', 'open'],
    ],
    ['the first was skipped', [stage('a', 1, { skippedAt: at(1) }), stage('b', 2)], ['skipped', 'open']],
    ['the first was withdrawn', [stage('a', 1, { withdrawnAt: at(1) }), stage('b', 2)], ['withdrawn', 'open']],
    ['one of two has decided', [stage('a', 1, done), stage('b', 1), stage('c', 2)], ['done', 'open', 'waiting']],
    ['without files nothing is decided', [stage('a', 1, { files: 0 }), stage('b', 2)], ['open', 'waiting']],
  ])('%s', (_, stages, states) => {
    expect(stages.map((one) => stateOf(one, stages))).toEqual(states)
  })

  test('it is open since the last before it passed, or since the batch was submitted', () => {
    const stages = [stage('a', 1, done), stage('b', 1, { skippedAt: at(7) }), stage('c', 2), stage('d', 3)]
    const since = (submitted: Date | null) => stages.map((one) => openSince(one, stages, submitted))
    expect(since(at(0))).toEqual([null, null, at(7), null])
    expect(since(at(9))).toEqual([null, null, at(9), null])
    expect(since(null)).toEqual([null, null, null, null])
  })
})

describe('what keeps a batch from being approved', () => {
  test.each<[string, StageProgress[], RegExp | null]>([
    ['no stages', [], null],
    ['all have approved', [stage('a', 1, done), stage('b', 2, { skippedAt: at(1) })], null],
    ['one was withdrawn', [stage('a', 1, { withdrawnAt: at(1) })], null],
    ['one waits', [stage('Legal', 1)], /“Legal” has decided 0 of 2 files/],
    ['one rejected', [stage('Client', 1, { approved: 1, rejected: 1 })], /“Client” rejected 1 of 2 files/],
  ])('%s', (_, stages, why) => {
    const said = whyNotThrough(stages)
    if (why) expect(said).toMatch(why)
    else expect(said).toBeNull()
  })
})
