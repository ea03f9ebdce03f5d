/** For how long something may be put off, by the clock of the reader. */
export type Snooze = { key: string; label: string; until: Date }

const HOUR_MS = 3_600_000
const MORNING = 9

function at(day: Date, days: number, hour: number): Date {
  const time = new Date(day)
  time.setDate(time.getDate() + days)
  time.setHours(hour, 0, 0, 0)
  return time
}

/** In three hours; tomorrow and on Monday at nine. */
export function snoozesFrom(now: Date): Snooze[] {
  const toMonday = (8 - now.getDay()) % 7 || 7
  return [
    { key: 'later', label: 'In three hours', until: new Date(now.getTime() + 3 * HOUR_MS) },
    { key: 'tomorrow', label: 'Tomorrow morning', until: at(now, 1, MORNING) },
    { key: 'monday', label: 'Monday morning', until: at(now, toMonday, MORNING) },
  ]
}
