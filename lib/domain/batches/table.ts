import { CsvError, parse } from 'csv-parse/sync'
import { quote } from '../kernel/errors'

/** What is wrong in a table: the line as a spreadsheet counts it (the heading is 1), the heading of the column, a sentence. */
export type TableMistake = { line: number; column: string | null; message: string }

/** What a line says; null where its cell is empty or the table has no such column. */
export type TableLine = {
  line: number
  name: string | null
  category: string | null
  due: string | null
  operator: string | null
  coordinator: string | null
  expectedFiles: string[]
}

type Column = Exclude<keyof TableLine, 'line'>

/** Headings in lower case; the first of each is the one that is recommended. */
const HEADINGS: Record<Column, readonly string[]> = {
  name: ['name', 'batch', 'batch name'],
  category: ['category', 'media category'],
  due: ['due', 'due on', 'due date'],
  operator: ['operator'],
  coordinator: ['coordinator'],
  expectedFiles: ['expected files', 'expected file', 'expected file names', 'files', 'file names', 'file name'],
}
const COLUMN_OF = new Map(
  Object.entries(HEADINGS).flatMap(([column, headings]) => headings.map((heading) => [heading, column as Column])),
)
const KNOWN = Object.values(HEADINGS).map(([heading]) => heading)

export const MOST_LINES = 100

/** Between the names in one cell. */
const BETWEEN_FILES = /[\r\n;|]+/

export type BatchTable = {
  lines: TableLine[]
  /** The heading of each column as it was written. */
  headings: Partial<Record<Column, string>>
  mistakes: TableMistake[]
}

/**
 * Reads a table of batches: comma, semicolon or tab between the cells (RFC 4180 quotes), a heading line first. Lines
 * without any text are left out. Mistakes are of the form alone; whether people and categories exist is not known here.
 */
export function readBatchTable(text: string): BatchTable {
  const rows = rowsOf(text)
  if ('mistake' in rows) return { lines: [], headings: {}, mistakes: [rows.mistake] }
  const [head = [], ...body] = rows.found
  const { columns, headings, mistakes } = columnsOf(head)
  if (mistakes.length > 0) return { lines: [], headings, mistakes }
  const filled = body
    .map((cells, index) => ({ cells: cells.map((cell) => cell.trim()), line: index + 2 }))
    .filter(({ cells }) => cells.some(Boolean))
  if (filled.length === 0) {
    const message = 'There is no line below the heading. Write one line for each batch.'
    return { lines: [], headings, mistakes: [{ line: 2, column: null, message }] }
  }
  if (filled.length > MOST_LINES) {
    const message = `There are ${filled.length} batches, and at most ${MOST_LINES} are created at once. Divide the table.`
    return { lines: [], headings, mistakes: [{ line: filled[MOST_LINES]?.line ?? 1, column: null, message }] }
  }
  const lines = filled.map(({ cells, line }) => lineOf(line, cells, columns))
  return {
    lines,
    headings,
    mistakes: [...filled.flatMap(({ cells, line }) => surplusIn(line, cells, columns)), ...twiceNamed(lines, headings)],
  }
}

function rowsOf(text: string): { found: string[][] } | { mistake: TableMistake } {
  const [first = ''] = text.replace(/^\ufeff/, '').split(/\r?\n|\r/, 1)
  try {
    return {
      found: parse(text, { bom: true, delimiter: delimiterOf(first), relaxColumnCount: true, relaxQuotes: true }),
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number((error as { lines?: unknown }).lines) || 1
    const message =
      error.code === 'CSV_QUOTE_NOT_CLOSED'
        ? 'A quotation mark opens a cell, and none closes it. Close it, or leave it out.'
        : 'The line cannot be read as cells. Copy the table again, or save it as CSV.'
    return { mistake: { line, column: null, message } }
  }
}

/** What stands most often in the heading; a single column needs none. */
function delimiterOf(heading: string): string {
  const counts = ['\t', ';', ','].map((letter) => ({ letter, times: heading.split(letter).length - 1 }))
  return counts.reduce((best, each) => (each.times > best.times ? each : best)).letter
}

const headingKey = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')

function columnsOf(head: readonly string[]) {
  const headings: BatchTable['headings'] = {}
  const mistakes: TableMistake[] = []
  const columns = head.map((heading) => {
    const column = COLUMN_OF.get(headingKey(heading))
    if (!column) {
      if (heading.trim()) {
        const message = `There is no column ${quote(heading.trim())}. Known are ${KNOWN.join(', ')}; leave out the others.`
        mistakes.push({ line: 1, column: heading.trim(), message })
      }
      return null
    }
    // Names of files may stand in several columns, one each.
    if (headings[column] !== undefined && column !== 'expectedFiles') {
      const message = `The column ${quote(heading.trim())} is there twice, as ${quote(headings[column])} before. Leave out one of them.`
      mistakes.push({ line: 1, column: heading.trim(), message })
    }
    headings[column] ??= heading.trim()
    return column
  })
  if (headings.name === undefined && mistakes.length === 0) {
    const message = `The first line has no column ${quote('name')}. Begin with a line of headings: ${KNOWN.join(', ')}.`
    mistakes.push({ line: 1, column: null, message })
  }
  return { columns, headings, mistakes }
}

function lineOf(line: number, cells: readonly string[], columns: readonly (Column | null)[]): TableLine {
  const cellOf = (column: Column) => cells[columns.indexOf(column)] || null
  return {
    line,
    name: cellOf('name'),
    category: cellOf('category'),
    due: cellOf('due'),
    operator: cellOf('operator'),
    coordinator: cellOf('coordinator'),
    expectedFiles: cells
      .filter((_, index) => columns[index] === 'expectedFiles')
      .flatMap((cell) => cell.split(BETWEEN_FILES))
      .map((name) => name.trim())
      .filter(Boolean),
  }
}

/** Text under no heading would be lost without a word. */
const surplusIn = (line: number, cells: readonly string[], columns: readonly (Column | null)[]): TableMistake[] =>
  cells.flatMap((cell, index) =>
    cell && !columns[index]
      ? [
          {
            line,
            column: null,
            message: `${quote(cell)} stands in column ${index + 1}, which has no heading. Give it one, or put the cell in quotation marks if its text holds what separates cells.`,
          },
        ]
      : [],
  )

function twiceNamed(lines: readonly TableLine[], headings: BatchTable['headings']): TableMistake[] {
  const first = new Map<string, number>()
  return lines.flatMap(({ line, name }) => {
    if (!name) return []
    const key = name.toLowerCase()
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, line)
      return []
    }
    const message = `${quote(name)} is the name of line ${before}, too. Give each batch a name of its own.`
    return [{ line, column: headings.name ?? null, message }]
  })
}
