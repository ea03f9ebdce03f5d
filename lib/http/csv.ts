/** What a spreadsheet takes for a formula, full-width forms and leading white space among them. */
const FORMULA = /^[\s\u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/

/**
 * Rows as CSV (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. Numbers stay numbers; text that a
 * spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV injection). Null is an empty cell.
 */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
