/**
 * The text of a file that a spreadsheet or an editor wrote: UTF-8, UTF-16 with a byte order mark, or Windows-1252, which
 * Excel writes as “CSV”. @throws Error with a sentence where it is a workbook, or too large to be a table
 */
export async function readTextFile(file: File, mostBytes: number): Promise<string> {
  if (file.size > mostBytes) {
    throw new Error(`“${file.name}” is larger than ${Math.round(mostBytes / 1000)} kB. Choose a smaller table.`)
  }
  const bytes = new Uint8Array(await file.arrayBuffer())
  // A workbook is a ZIP archive, an old one an OLE container.
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || (bytes[0] === 0xd0 && bytes[1] === 0xcf)) {
    throw new Error(`“${file.name}” is a workbook. Save it as CSV, or copy its cells and paste them here.`)
  }
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
