import { describe, expect, it } from 'vitest'
import { busiestShare, heaviestOf, shareOf, type WorkAt } from './work'

/** An ad that needs `load` of a processor until `until` (seconds) and gets `share` of one, watched for 32 s, twice a second. */
function watched({ share = 1, load = 1, until = 32, seconds = 32 }): WorkAt[] {
  return Array.from({ length: 2 * seconds + 1 }, (_, index) => {
    const at = Math.min(index / 2, until)
    const thread = Math.min(load * at, share * at)
    // What is to be done takes as much longer as there is less of the processor.
    const tasks = Math.min(thread / share, at)
    return { at: index * 500, thread, tasks, waited: tasks - thread }
  })
}

describe('the busiest half minute', () => {
  it('is what the main thread computed in it, on a machine that lets it', () => {
    expect(heaviestOf(watched({})).window).toBeCloseTo(30)
    expect(heaviestOf(watched({ load: 0.3 })).window).toBeCloseTo(9)
    expect(heaviestOf(watched({ until: 12 }))).toEqual({ window: 12, total: 12 })
  })

  it('is the same on a busy machine, where the ad goes on', () => {
    expect(heaviestOf(watched({ share: 0.4 })).window).toBeCloseTo(30)
    expect(heaviestOf(watched({ share: 0.4 })).total).toBeCloseTo(12.8)
  })

  it('is what was computed where the ad did all it wanted to, however long that took', () => {
    expect(heaviestOf(watched({ share: 0.5, load: 0.3 })).window).toBeCloseTo(9)
    expect(heaviestOf(watched({ share: 0.7, load: 0.4 })).window).toBeCloseTo(12)
  })

  it('is not more than was computed where the ad has come to rest', () => {
    expect(heaviestOf(watched({ share: 0.5, until: 24 })).window).toBeCloseTo(12)
    expect(heaviestOf(watched({ share: 0.5, until: 2, seconds: 6 })).window).toBeCloseTo(1)
  })

  it('is nothing where nothing was sampled', () => {
    expect(heaviestOf([])).toEqual({ window: 0, total: 0 })
  })
})

it('waiting is taken off the clock of a share, whether the system or the tasks tell of it', () => {
  const from = { thread: 0, tasks: 0, waited: 0 }
  expect(shareOf(from, { thread: 1, tasks: 2, waited: null }, 4)).toBeCloseTo(1 / 3)
  expect(shareOf(from, { thread: 1, tasks: 1, waited: 2 }, 4)).toBeCloseTo(0.5)
  expect(busiestShare(watched({ share: 0.4, until: 8 }))).toBeCloseTo(1)
  expect(busiestShare(watched({ seconds: 2 }))).toBeNull()
})
