import { LABELLED } from './labelled'
import { askChecks, askedChecks } from './truth/ask'
import { corpusFolders, readLabels, WrongLabels } from './truth/labels'
import { binsOf } from './truth/statistics'
import { COUNTS, tableOf } from './truth/table'
import { type Outcome, type Tally, tallyOf } from './truth/tally'

/**
 * How far each check can be trusted, on the labelled set and on the files of corpora (docs/truth.md): misses, false
 * alarms, precision and recall with their 95 % intervals, and whether its confidence is what comes true. Ends with 1 when
 * a verdict is wrong, with 2 when a label is. `npm run bench:truth -- loudness_check …` asks only these.
 *
 * CORPUS_DIR: folders with a labels.json, separated by colons. LABELLED=off: without the labelled set.
 */
const COLUMNS = { ...COUNTS, precision: 16, recall: 16, calibration: 13 }

const checks = askedChecks(process.argv.slice(2))
const labelled = [...(process.env.LABELLED === 'off' ? [] : LABELLED), ...readCorpora()]

const all: Outcome[] = []
const wrong: string[] = []
const row = tableOf(COLUMNS)
console.log(row(...Object.keys(COLUMNS)))
for await (const asked of askChecks(checks, labelled)) {
  if (asked.outcomes.length === 0) continue
  say(asked.check, asked.outcomes)
  all.push(...asked.outcomes)
  wrong.push(...asked.wrong)
}
say('all', all)
console.log('\nconfidence against hits')
for (const { from, to, files, confidence, hits } of binsOf(said(all)))
  console.log(
    `  ${from.toFixed(1)} to ${to.toFixed(1)}: ${files} files, confidence ${confidence.toFixed(3)}, right ${hits.toFixed(3)}`,
  )
for (const each of wrong) console.log(`  ${each}`)
process.exitCode = wrong.length > 0 ? 1 : 0

function readCorpora() {
  try {
    return corpusFolders().flatMap(readLabels)
  } catch (error) {
    if (!(error instanceof WrongLabels)) throw error
    console.error(error.message)
    return process.exit(2)
  }
}

function said(outcomes: readonly Outcome[]) {
  return outcomes
    .filter(({ verdict }) => verdict !== 'unevaluated')
    .map(({ verdict, confidence }) => ({ confidence, isRight: verdict === 'right' }))
}

function say(name: string, outcomes: readonly Outcome[]): void {
  const { good, bad, misses, falseAlarms, unevaluated, precision, recall, calibration } = tallyOf(outcomes)
  const share = (of: Tally['recall']) =>
    of ? `${percent(of.share)} % (${percent(of.interval.low)}-${percent(of.interval.high)})` : '-'
  const error = calibration === null ? '-' : calibration.toFixed(3)
  console.log(row(name, good, bad, misses, falseAlarms, unevaluated, share(precision), share(recall), error))
}

function percent(share: number): string {
  return (share * 100).toFixed(0)
}
