import { CHECK_IDS } from '@/lib/checks/catalogue'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { LABELLED } from './labelled'
import { evaluate } from './labelled/evaluate'

/**
 * The truth table: for every check of the catalogue the faulty files it missed, the good ones it accused and those it
 * said nothing of, on files that were made with a known fault. Each goes the way of an upload. Ends with 1 when a verdict
 * is wrong or a check has too few files. `npm run bench:verdicts -- loudness_check …` asks only these.
 */
const LEAST = 6

const asked = process.argv.slice(2)
const unknown = asked.filter((id) => !CHECK_IDS.includes(id as (typeof CHECK_IDS)[number]))
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. The checks are ${CHECK_IDS.join(', ')}.`)
  process.exit(2)
}

const columns = (...cells: (string | number)[]) =>
  cells.map((cell, index) => (index === 0 ? String(cell).padEnd(26) : String(cell).padStart(14))).join('')

const totals = { good: 0, bad: 0, miss: 0, 'false alarm': 0, unevaluated: 0, right: 0 }
const wrong: string[] = []
const few: string[] = []
console.log(columns('check', 'good', 'bad', 'misses', 'false alarms', 'unevaluated'))
try {
  for (const id of CHECK_IDS) {
    if (asked.length > 0 && !asked.includes(id)) continue
    const row = { good: 0, bad: 0, miss: 0, 'false alarm': 0, unevaluated: 0, right: 0 }
    for (const labelled of LABELLED.filter(({ check }) => check === id)) {
      const { verdict, report } = await evaluate(labelled)
      row[labelled.isFaulty ? 'bad' : 'good'] += 1
      row[verdict] += 1
      if (verdict !== 'right') wrong.push(`${id}: ${verdict}: ${report}`)
    }
    console.log(columns(id, row.good, row.bad, row.miss, row['false alarm'], row.unevaluated))
    if (row.good + row.bad < LEAST) few.push(id)
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += row[key]
  }
} finally {
  closeInspector()
  closeMeasurer()
}
console.log(columns('all', totals.good, totals.bad, totals.miss, totals['false alarm'], totals.unevaluated))
for (const each of wrong) console.log(`  ${each}`)
if (few.length > 0) console.log(`  fewer than ${LEAST} files: ${few.join(', ')}`)
process.exitCode = wrong.length + few.length > 0 ? 1 : 0
