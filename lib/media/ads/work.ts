/** Seconds: the main thread computed, its tasks took on the clock, it waited for a processor (null: the system does not say). */
export type Work = { thread: number; tasks: number; waited: number | null }

/** What it had done by a time, in ms. */
export type WorkAt = Work & { at: number }

const BUSIEST_SECONDS = 4

/** The share of the main thread in the busiest four seconds, at rest or not; null before there were four. */
export function busiestShare(samples: readonly WorkAt[]): number | null {
  let most: number | null = null
  for (let last = 1, first = 0; last < samples.length; last++) {
    const end = samples[last]
    if (!end) break
    // The latest sample that is four seconds back.
    while (end.at - (samples[first + 1]?.at ?? end.at) >= BUSIEST_SECONDS * 1000) first++
    const from = samples[first]
    if (!from || end.at - from.at < BUSIEST_SECONDS * 1000) continue
    most = Math.max(most ?? 0, shareOf(from, end, (end.at - from.at) / 1000))
  }
  return most
}

/** Chrome's own window (heavy-ad-check.ts). */
const WINDOW_SECONDS = 30

/** Whoever computes for this share of the time that a busy machine leaves it would compute more on a free one. */
const ALL_IT_GETS = 0.9

/**
 * Seconds of the main thread in the busiest half minute, and in all. Where it computes to the end all that the machine lets it,
 * the time for which it waited for a processor in the last half minute counts as well: on a free machine it would have computed.
 */
export function heaviestOf(samples: readonly WorkAt[]): { window: number; total: number } {
  const [begin, end] = [samples[0], samples.at(-1)]
  if (!begin || !end) return { window: 0, total: 0 }
  let window = 0
  let from = begin
  for (let last = 0, first = 0; last < samples.length; last++) {
    const to = samples[last] ?? end
    while (to.at - (samples[first]?.at ?? to.at) > WINDOW_SECONDS * 1000) first++
    from = samples[first] ?? to
    window = Math.max(window, to.thread - from.thread)
  }
  const late = samples.findLast(({ at }) => end.at - at >= BUSIEST_SECONDS * 1000) ?? begin
  const rate = shareOf(late, end, (end.at - late.at) / 1000)
  if (rate >= ALL_IT_GETS) window = Math.max(window, end.thread - from.thread + rate * waitedBetween(from, end))
  return { window, total: end.thread - begin.thread }
}

/** The share of so many seconds for which the main thread computed, without those for which it waited. */
export function shareOf(before: Work, after: Work, seconds: number): number {
  const thread = after.thread - before.thread
  return Math.min(1, thread / Math.max(seconds - waitedBetween(before, after), thread, 0.001))
}

/** Seconds for which a busy machine let the main thread wait for a processor, before a task and within one. */
function waitedBetween(before: Work, after: Work): number {
  const withinTasks = after.tasks - before.tasks - (after.thread - before.thread)
  const inAll = after.waited === null || before.waited === null ? 0 : after.waited - before.waited
  return Math.max(0, withinTasks, inAll)
}
