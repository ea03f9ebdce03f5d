import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { LABELLED } from './labelled'
import { subjectOf } from './labelled/evaluate'
import { type Comparison, missing } from './second/compare'
import { whyOf } from './second/explained'
import { compareMedia, MEDIA_PROGRAMS } from './second/media'
import { comparePdf, PDF_PROGRAMS } from './second/pdf'
import { askedChecks } from './truth/ask'
import { corpusFolders } from './truth/labels'
import { tableOf } from './truth/table'

/**
 * What is read and measured beside second engines that are installed on this machine: FFmpeg's ffprobe and filters for
 * video and audio, poppler and qpdf for PDF. Asks of the labelled set and of every file below CORPUS_DIR (folders,
 * separated by colons). LABELLED=off leaves the set out, names of checks as arguments all of it but their files. Prints
 * every disagreement, with the reason where one is known (docs/truth.md). Ends with 1 where one has none, with 2 where an
 * engine is missing.
 */

/** Files at once: much of the time of one is waiting for processes to start. */
const AT_ONCE = 4

type Source = { name: string; label: string; write: (file: string) => void | Promise<void> }

const asked: readonly string[] = askedChecks(process.argv.slice(2))
const programs = await missing([...MEDIA_PROGRAMS, ...PDF_PROGRAMS])
if (programs.length > 0) console.log(`Not installed, so what they read is not compared: ${programs.join(', ')}.`)
const has = (needed: readonly string[]) => !needed.some((program) => programs.includes(program))

const tally = new Map<string, { compared: number; differ: number }>()
const disagreements: { line: string; why: string | null }[] = []
const seen = new Set<string>()
let files = 0
const left = sources()
await Promise.all(Array.from({ length: AT_ONCE }, compareAll))
closeInspector()
closeMeasurer()

const row = tableOf({ what: 30, compared: 10, differ: 8 })
console.log(`${files} files\n${row('what', 'compared', 'differ')}`)
for (const [what, { compared, differ }] of tally) console.log(row(what, compared, differ))
disagreements.sort((a, b) => (a.line < b.line ? -1 : 1))
const explained = disagreements.filter(({ why }) => why !== null)
const others = disagreements.filter(({ why }) => why === null)
if (explained.length > 0) console.log('\nexplained')
for (const { line, why } of explained) console.log(`  ${line}\n    ${why}`)
console.log(others.length > 0 ? '\nnot explained' : '\nNo disagreement is without a reason.')
for (const { line } of others) console.log(`  ${line}`)
process.exitCode = others.length > 0 ? 1 : programs.length > 0 ? 2 : 0

/** Those that are left, one after another: several of these share the list. */
async function compareAll(): Promise<void> {
  for (const source of left) {
    const folder = mkdtempSync(path.join(tmpdir(), 'second-'))
    try {
      const file = path.join(folder, source.name)
      await source.write(file)
      const hash = createHash('sha256').update(readFileSync(file)).digest('hex')
      if (seen.has(hash)) continue
      seen.add(hash)
      const comparison = await compare(file)
      if (!comparison) continue
      files++
      if (files % 100 === 0) console.error(`${files} files ...`)
      count(source.label, comparison)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

async function compare(file: string): Promise<Comparison | null> {
  const type = findTypeByExtension(extensionOf(file))
  const isMedia = type?.kind === 'video' || type?.kind === 'audio'
  if (isMedia && has(MEDIA_PROGRAMS)) return compareMedia(file, await subjectOf(file, {}))
  if (type?.mediaType === 'application/pdf' && has(PDF_PROGRAMS)) return comparePdf(file, await subjectOf(file, {}))
  return null
}

function count(label: string, { all }: Comparison): void {
  for (const { what, ours, theirs, agrees } of all) {
    const counted = tally.get(what) ?? { compared: 0, differ: 0 }
    tally.set(what, counted)
    counted.compared++
    if (agrees) continue
    counted.differ++
    const line = `${label}: ${what}: ${ours} here, ${theirs} there`
    disagreements.push({ line, why: whyOf(label, what) })
  }
}

function* sources(): Generator<Source> {
  const isCompared = (name: string) =>
    ['video', 'audio', 'document'].includes(findTypeByExtension(extensionOf(name))?.kind ?? '')
  if (process.env.LABELLED !== 'off')
    for (const { check, name, write } of LABELLED)
      if (asked.includes(check) && isCompared(name)) yield { name, label: `${check}/${name}`, write }
  for (const folder of corpusFolders()) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !isCompared(entry.name)) continue
      const from = path.join(entry.parentPath, entry.name)
      yield { name: entry.name, label: path.relative(folder, from), write: (file) => copyFileSync(from, file) }
    }
  }
}
