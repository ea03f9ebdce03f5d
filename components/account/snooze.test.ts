import { expect, it } from 'vitest'
import { snoozesFrom } from './snooze'

const days = (now: string) => snoozesFrom(new Date(now)).map(({ until }) => [until.getDay(), until.getHours()])

it.each([
  ['2026-11-25T10:00:00', [3, 13], [4, 9]],
  ['2026-11-29T10:00:00', [0, 13], [1, 9]],
  ['2026-11-30T23:30:00', [2, 2], [2, 9]],
])('puts off from %s until later, tomorrow and the next Monday', (now, later, tomorrow) => {
  expect(days(now)).toEqual([later, tomorrow, [1, 9]])
  for (const { until } of snoozesFrom(new Date(now))) expect(until.getTime()).toBeGreaterThan(Date.parse(now))
})
