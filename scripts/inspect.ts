import { readFileSync } from 'node:fs'
import path from 'node:path'
import { extensionOf } from '@/lib/domain/files/media-types'
import { closeInspector, inspectFile } from '@/lib/media/inspect/inspect'

/**
 * Prints the verdict on each file as a line of tab-separated values: path, type, verdict, seconds, message.
 *
 *   npx tsx scripts/inspect.ts FILES...
 *   npx tsx scripts/inspect.ts --labels labels.tsv     compares with the column `expected` and prints a table by kind
 */
type Label = { file: string; name: string; kind: string; expected: string; grade: string }

const [first, ...rest] = process.argv.slice(2)
if (first === undefined) {
  process.stderr.write(
    'Name at least one file, or --labels and a table of files with the columns path, kind and expected.\n',
  )
  process.exit(2)
}
const labels = first === '--labels' ? readLabels(rest[0] ?? 'labels.tsv') : [first, ...rest].map(unlabelled)
const wanted = first === '--labels' ? rest.slice(1) : []
const tally = new Map<string, { total: number; refused: number; slowest: number }>()

for (const label of labels) {
  if (wanted.length > 0 && !wanted.some((part) => label.file.includes(part))) continue
  const started = performance.now()
  const inspection = await inspectFile(label.file, { extension: extensionOf(label.name) })
  const seconds = (performance.now() - started) / 1000
  const [violation] = inspection.violations
  const verdict = inspection.violations.length === 0 ? 'sound' : inspection.violations.map(({ code }) => code).join(',')
  const surprise = label.expected !== '' && (label.expected === 'valid') !== (verdict === 'sound') ? '!' : ''
  const note = violation?.message ?? (first === '--labels' ? '' : JSON.stringify(inspection.media))
  process.stdout.write(
    `${[surprise, label.file, label.grade, inspection.mediaType, verdict, seconds.toFixed(2), note].join('\t')}\n`,
  )
  const key = `${label.kind}\t${label.expected}\t${label.grade}`
  const row = tally.get(key) ?? { total: 0, refused: 0, slowest: 0 }
  tally.set(key, {
    total: row.total + 1,
    refused: row.refused + (verdict === 'sound' ? 0 : 1),
    slowest: Math.max(row.slowest, seconds),
  })
}
if (first === '--labels') {
  process.stdout.write('\nkind\texpected\tgrade\tfiles\trefused\tslowest (s)\n')
  for (const [key, row] of [...tally].sort())
    process.stdout.write(`${key}\t${row.total}\t${row.refused}\t${row.slowest.toFixed(2)}\n`)
}
closeInspector()

function unlabelled(file: string): Label {
  return { file, name: path.basename(file), kind: '', expected: '', grade: '' }
}

function readLabels(table: string): Label[] {
  const [head, ...lines] = readFileSync(table, 'utf8').trimEnd().split('\n')
  const columns = head?.split('\t') ?? []
  return lines.map((line) => {
    const cells = line.split('\t')
    const cell = (name: string) => cells[columns.indexOf(name)] ?? ''
    const file = path.join(path.dirname(table), cell('path'))
    return {
      file,
      name: cell('upload_as') || path.basename(file),
      kind: cell('kind'),
      expected: cell('expected'),
      grade: cell('grade'),
    }
  })
}
