import { LABELLED } from './labelled'
import { askChecks, askedChecks } from './truth/ask'
import { COUNTS, tableOf } from './truth/table'
import { type Outcome, tallyOf } from './truth/tally'

/**
 * The truth table: for every check of the catalogue the faulty files it missed, the good ones it accused and those it
 * said nothing of, on files that were made with a known fault. Each goes the way of an upload. Ends with 1 when a verdict
 * is wrong or a check has too few files. `npm run bench:verdicts -- loudness_check …` asks only these.
 */
const LEAST = 6

const row = tableOf(COUNTS)
const all: Outcome[] = []
const wrong: string[] = []
const few: string[] = []
const say = (name: string, outcomes: readonly Outcome[]) => {
  const { good, bad, misses, falseAlarms, unevaluated } = tallyOf(outcomes)
  console.log(row(name, good, bad, misses, falseAlarms, unevaluated))
}
console.log(row(...Object.keys(COUNTS)))
for await (const asked of askChecks(askedChecks(process.argv.slice(2)), LABELLED)) {
  say(asked.check, asked.outcomes)
  all.push(...asked.outcomes)
  wrong.push(...asked.wrong)
  if (asked.outcomes.length < LEAST) few.push(asked.check)
}
say('all', all)
for (const each of wrong) console.log(`  ${each}`)
if (few.length > 0) console.log(`  fewer than ${LEAST} files: ${few.join(', ')}`)
process.exitCode = wrong.length + few.length > 0 ? 1 : 0
