/** Lines pasted from a spreadsheet or a CSV file: name, then a note. Quotes around cells and a heading line are dropped. */
export function parseManifest(text: string): { name: string; note: string | null }[] {
  return text
    .split(/\r?\n/)
    .map((line) => {
      const [name = '', ...rest] = cells(line)
      return { name, note: rest.filter(Boolean).join(', ') || null }
    })
    .filter(({ name }, index) => name !== '' && !(index === 0 && /^(file ?name|name|file)$/i.test(name)))
}

function cells(line: string): string[] {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ','
  const found: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const letter = line[i]
    if (letter === '"' && isQuoted && line[i + 1] === '"') cell += line[++i]
    else if (letter === '"') isQuoted = !isQuoted
    else if (letter === separator && !isQuoted) {
      found.push(cell.trim())
      cell = ''
    } else cell += letter
  }
  return [...found, cell.trim()]
}
