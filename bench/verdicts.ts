import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeInspector, inspectFile } from '@/lib/adapters/inspector/inspect'
import { measureFile } from '@/lib/adapters/measurer/measure-file'
import { closeMeasurer } from '@/lib/adapters/measurer/measurer'
import { runChecks } from '@/lib/checks/engine'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import { type Labelled, writeLabelled } from './labelled'

/**
 * The truth table: for every check the faulty files it missed and the sound ones it accused, on files that were made
 * with a known fault. Each goes the way of an upload: inspector, measurer, engine. Ends with 1 when a verdict is wrong.
 */
type Row = { good: number; bad: number; misses: string[]; alarms: string[]; errors: string[] }

async function judge({ file, check, thresholds }: Labelled) {
  const name = path.basename(file)
  const type = findTypeByExtension(extensionOf(name))
  if (!type) throw new Error(`${name} has no type.`)
  const described = { name, kind: type.kind, mediaType: type.mediaType }
  const measured = await measureFile(inspectFile, file, described)
  const expectations = { mediaTypes: [], maxFileBytes: null }
  const subject = { ...described, ...measured, bytes: statSync(file).size, claims: {}, expectations }
  const settings = { checks: { [check]: { enabled: true, severity: 'fail' as const, thresholds } } }
  const line = runChecks(subject, settings).checks.find(({ check_id }) => check_id === check)
  if (!line) throw new Error(`${check} does not look at ${name}.`)
  return line
}

const folder = mkdtempSync(path.join(tmpdir(), 'verdicts-'))
const table = new Map<string, Row>()
try {
  for (const labelled of await writeLabelled(folder)) {
    const { status, details } = await judge(labelled)
    const row = table.get(labelled.check) ?? { good: 0, bad: 0, misses: [], alarms: [], errors: [] }
    table.set(labelled.check, row)
    labelled.isFaulty ? row.bad++ : row.good++
    const isAccused = status === 'fail' || status === 'warning'
    const told = `${path.basename(labelled.file)}: ${status}, ${details}`
    if (status === 'error') row.errors.push(told)
    else if (labelled.isFaulty && !isAccused) row.misses.push(told)
    else if (!labelled.isFaulty && isAccused) row.alarms.push(told)
  }
} finally {
  closeInspector()
  closeMeasurer()
  rmSync(folder, { recursive: true })
}

console.log('check                     good  bad  misses  false alarms  errors')
for (const [check, { good, bad, misses, alarms, errors }] of table) {
  const columns = [good, bad, misses.length, alarms.length, errors.length].map((value) => String(value).padStart(6))
  console.log(`${check.padEnd(24)}${columns.join('')}`)
}
const wrong = [...table.values()].flatMap(({ misses, alarms, errors }) => [...misses, ...alarms, ...errors])
for (const each of wrong) console.log(`  wrong: ${each}`)
process.exitCode = wrong.length > 0 ? 1 : 0
