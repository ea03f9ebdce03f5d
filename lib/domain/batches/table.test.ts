import { describe, expect, it } from 'vitest'
import { MOST_LINES, readBatchTable } from './table'

const said = (text: string) => readBatchTable(text).mistakes

describe('a table of batches', () => {
  it.each([
    ['commas', 'Name,Due\n"Posters, large",2026-12-01\nBanners,'],
    ['semicolons, a byte order mark and CRLF', '\ufeffName;Due\r\nPosters, large;2026-12-01\r\nBanners;\r\n'],
    ['tabs', 'Name\tDue\nPosters, large\t2026-12-01\n\t\nBanners\t'],
  ])('is read with %s between its cells', (_, text) => {
    const { lines, mistakes } = readBatchTable(text)
    expect(mistakes).toEqual([])
    expect(lines.map(({ name, due }) => [name, due])).toEqual([
      ['Posters, large', '2026-12-01'],
      ['Banners', null],
    ])
  })

  it('counts lines as a spreadsheet does, empty ones and breaks within a cell included', () => {
    const { lines } = readBatchTable('name,expected files\nA,"a.jpg\nb.jpg"\n\nB,c.jpg; d.jpg | e.jpg')
    expect(lines).toMatchObject([
      { line: 2, name: 'A', expectedFiles: ['a.jpg', 'b.jpg'] },
      { line: 4, name: 'B', expectedFiles: ['c.jpg', 'd.jpg', 'e.jpg'] },
    ])
  })

  it('takes names of files from several columns', () => {
    const { lines } = readBatchTable('Batch\tfile name\tFile_Name\tMedia category\nA\ta.jpg\tb 5".jpg\tStills')
    expect(lines).toMatchObject([{ name: 'A', category: 'Stills', expectedFiles: ['a.jpg', 'b 5".jpg'] }])
  })

  it.each([
    ['an unknown heading', 'name,owner\nA,B', { line: 1, column: 'owner', message: /“owner”/ }],
    ['a heading twice', 'name,due,due date\nA,,', { line: 1, column: 'due date', message: /twice/ }],
    ['no name among the headings', 'due\n2026-12-01', { line: 1, column: null, message: /no column “name”/ }],
    ['no heading at all', '', { line: 1, column: null, message: /no column “name”/ }],
    ['a heading alone', 'name\n', { line: 2, column: null, message: /no line below/ }],
    ['a name twice', 'Batch\nA\nB\na', { line: 4, column: 'Batch', message: /“a” is the name of line 2/ }],
    ['a cell without a heading', 'name,due\nA,,lost', { line: 2, column: null, message: /“lost” stands in column 3/ }],
    ['a quotation mark that is not closed', 'name,due\n"A,\nB,', { line: 3, column: null, message: /closes/ }],
  ])('names %s by line and column', (_, text, { line, column, message }) => {
    expect(said(text)).toMatchObject([{ line, column, message: expect.stringMatching(message) }])
  })

  it('has at most so many lines', () => {
    const table = (count: number) => `name\n${Array.from({ length: count }, (_, index) => `B${index}`).join('\n')}`
    expect(readBatchTable(table(MOST_LINES)).lines).toHaveLength(MOST_LINES)
    expect(said(table(MOST_LINES + 1))).toMatchObject([
      { line: MOST_LINES + 2, message: expect.stringMatching(/101 batches/) },
    ])
  })
})
