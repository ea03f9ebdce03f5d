/** Days as they stand in file names. Nothing here reads the clock. */

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Years that a file name of eight digits may mean: enough to distinguish a year from a day and month. */
const FIRST_YEAR = 1900
const LAST_YEAR = 2099

const lastDayOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** Is this `YYYYMMDD`, a day that exists in the Gregorian calendar between 1900 and 2099? */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{8}$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6))]
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return false
  return day >= 1 && day <= lastDayOf(year, month)
}

/** Each real day (`YYYYMMDD`) that a differently written date can mean: `03-05-2024` can mean two, `31-05-2024` one. */
export function readDays(text: string): string[] {
  if (!/^\d{1,8}(?:[ ._-]\d{1,4}){0,2}$/.test(text)) return []
  const groups = text.split(/[^0-9]+/).filter((group) => group !== '')
  const numbers = groups.length === 1 ? splitDigits(groups[0] ?? '') : [groups]
  const readings = numbers.flatMap(([a = '', b = '', c = '', ...rest]) => {
    if (rest.length > 0 || c === '') return []
    if (a.length === 4) return isCalendarDay(write(a, b, c)) ? [write(a, b, c)] : [write(a, c, b)]
    if (c.length === 4) return [write(c, b, a), write(c, a, b)]
    return [write(century(a), b, c), write(century(c), b, a), write(century(c), a, b)]
  })
  return [...new Set(readings.filter(isCalendarDay))]
}

/** Six digits begin or end with the year, eight as well. */
function splitDigits(digits: string): string[][] {
  const cut = (first: number, second: number) => [
    digits.slice(0, first),
    digits.slice(first, first + second),
    digits.slice(first + second),
  ]
  if (digits.length === 8) return [cut(4, 2), cut(2, 2)]
  if (digits.length === 6) return [cut(2, 2)]
  return []
}

/** A year of two digits is taken for one at which creative files are made: 2010 to 2049. */
const century = (year: string) => (/^[1-4]\d$/.test(year) ? `20${year}` : year)

const write = (year: string, month: string, day: string) => year + month.padStart(2, '0') + day.padStart(2, '0')

/** `3 May 2024`. */
export function sayDay(day: string): string {
  return `${Number(day.slice(6))} ${MONTHS[Number(day.slice(4, 6)) - 1]} ${day.slice(0, 4)}`
}

/** Why eight digits are no day; null when they are one, or are not eight digits. */
export function explainDay(text: string): string | null {
  if (!/^\d{8}$/.test(text) || isCalendarDay(text)) return null
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6))]
  if (year < FIRST_YEAR || year > LAST_YEAR) return `It would be the year ${text.slice(0, 4)}.`
  const monthName = MONTHS[month - 1]
  if (monthName === undefined) return `There is no month ${text.slice(4, 6)}.`
  if (day === 0) return 'There is no day 00.'
  return `${monthName} ${year} has ${lastDayOf(year, month)} days.`
}
