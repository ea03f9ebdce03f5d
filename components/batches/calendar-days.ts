const DAY = 86_400_000
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** `2026-11` where it is a month of the calendar, else null. */
export const monthOf = (text: string | undefined): string | null =>
  text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : null

/** The month so many months later, or earlier for less than 0: `2026-12` and 1 gives `2027-01`. */
export function monthAfter(month: string, step: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7)
}

/** The days of whole weeks, Monday first, in which the month lies: YYYY-MM-DD. */
export function daysOf(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00:00.000Z`)
  const last = Date.parse(`${monthAfter(month, 1)}-01T00:00:00.000Z`) - DAY
  const weekday = (time: number) => (new Date(time).getUTCDay() + 6) % 7
  const days: string[] = []
  for (let time = first - weekday(first) * DAY; time <= last + (6 - weekday(last)) * DAY; time += DAY)
    days.push(dayOf(time))
  return days
}
