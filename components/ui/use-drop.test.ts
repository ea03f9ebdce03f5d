import { expect, it } from 'vitest'
import { chosenFiles, filesIn } from './use-drop'

const file = (name: string) => new File(['x'], name)

/** A folder as browsers hand it over: two entries at a time, and none at the end. */
function folder(fullPath: string, entries: FileSystemEntry[]): FileSystemEntry {
  return {
    isDirectory: true,
    isFile: false,
    fullPath,
    createReader: () => {
      const left = [...entries]
      return { readEntries: (done: (part: FileSystemEntry[]) => void) => done(left.splice(0, 2)) }
    },
  } as unknown as FileSystemEntry
}

const entryOf = (fullPath: string): FileSystemEntry =>
  ({
    isDirectory: false,
    isFile: true,
    fullPath,
    file: (done: (found: File) => void) => done(file(fullPath.split('/').at(-1) ?? '')),
  }) as unknown as FileSystemEntry

const item = (entry: FileSystemEntry | null, own: File | null = null) => ({
  kind: 'file',
  webkitGetAsEntry: () => entry,
  getAsFile: () => own,
})

const transfer = (items: object[], files: File[] = []) => ({ items, files }) as unknown as DataTransfer

it('reads dropped folders to their ends, with paths, beside single files', async () => {
  const deep = folder(
    '/Spring/300x250',
    ['a', 'b', 'c'].map((name) => entryOf(`/Spring/300x250/${name}.png`)),
  )
  const spring = folder('/Spring', [deep, entryOf('/Spring/.DS_Store'), entryOf('/Spring/brief.pdf')])
  const dropped = await filesIn(
    transfer([
      item(spring),
      item(entryOf('/single.png'), file('single.png')),
      { kind: 'string' },
      item(null, file('pasted.png')),
    ]),
  )
  expect(dropped.map(({ relativePath }) => relativePath)).toEqual([
    'Spring/300x250/a.png',
    'Spring/300x250/b.png',
    'Spring/300x250/c.png',
    'Spring/brief.pdf',
    'single.png',
    'pasted.png',
  ])
})

it('takes the files where there are no items, and of a chosen folder the paths', async () => {
  expect(await filesIn(transfer([], [file('a.png')]))).toMatchObject([{ relativePath: 'a.png' }])
  const inFolder = Object.defineProperty(file('b.png'), 'webkitRelativePath', { value: 'Spring/b.png' })
  // What was chosen is not left out here: what takes the files does, and says so.
  const list = [inFolder, file('Thumbs.db'), file('c.png')] as unknown as FileList
  expect(chosenFiles(list).map(({ relativePath }) => relativePath)).toEqual(['Spring/b.png', 'Thumbs.db', 'c.png'])
  expect(chosenFiles(null)).toEqual([])
})
