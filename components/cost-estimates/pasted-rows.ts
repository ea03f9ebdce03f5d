import { type DraftLine, emptyLine } from './draft'
import { isNumber } from './typed-numbers'

/**
 * The cells of rows copied from a spreadsheet: tabs between cells, line breaks between rows. A cell that holds either is
 * in quotes, with quotes in it doubled; quotes anywhere else mean themselves.
 */
export function rowsOf(pasted: string): string[][] {
  const text = pasted.replace(/\r\n?/g, '\n')
  const cells = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/y
  const rows: string[][] = [[]]
  while (cells.lastIndex <= text.length) {
    const [all, quoted, plain = '', end] = cells.exec(text) ?? ['', '', '', '']
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end === '' || all === '') break
    if (end === '\n') rows.push([])
  }
  return rows
}

/** Rows copied from a spreadsheet as lines: description, quantity, unit price; a head row is left out. */
export function linesFrom(pasted: string): DraftLine[] {
  return rowsOf(pasted)
    .filter((cells) => cells.some((cell) => cell !== ''))
    .filter((cells, index) => index > 0 || cells.length < 2 || cells.slice(1).some(isNumber))
    .map(([description = '', second = '', third]) => ({
      ...emptyLine(),
      description,
      quantity: third === undefined ? '1' : second,
      unitPrice: third ?? second,
    }))
}
