import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CATALOGUE } from '@/lib/checks/catalogue'
import { askCheck } from '@/lib/checks/engine'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { closeRepairer, repairFile } from '@/lib/media/repair/repairer'
import { hasRecipe, planRepair } from '@/lib/repairs/plan'
import { LABELLED, type Labelled } from './labelled'
import { subjectOf } from './labelled/evaluate'
import { askedChecks } from './truth/ask'
import { tableOf } from './truth/table'

/**
 * Repairs every faulty file of the labelled set for which a repair is planned, the way of the product: a copy made in the
 * sandbox, measured anew and asked the same check. Of each check the faulty files, those that a machine may repair, and those
 * whose copy passes; then why the others are left, and why a copy does not pass. At least 95 % of the copies have to.
 *
 *   npm run bench:repairs -- [check ...]
 */
const LEAST = 0.95

type Outcome = { kind: 'left' | 'passes' | 'fails'; why: string }

const checks = askedChecks(process.argv.slice(2)).filter(hasRecipe)
const row = tableOf({ check: 28, faulty: 8, repairable: 12, passes: 8 })
console.log(row('check', 'faulty', 'repairable', 'passes'))
const said: string[] = []
const all = { repairable: 0, passes: 0 }
for (const id of checks) {
  const outcomes: Outcome[] = []
  for (const labelled of LABELLED.filter((each) => each.check === id && each.isFaulty)) {
    const outcome = await repaired(labelled)
    outcomes.push(outcome)
    if (outcome.kind !== 'passes') said.push(`${outcome.kind} ${id}/${labelled.name}: ${outcome.why}`)
  }
  const passes = outcomes.filter(({ kind }) => kind === 'passes').length
  const repairable = outcomes.filter(({ kind }) => kind !== 'left').length
  all.repairable += repairable
  all.passes += passes
  console.log(row(id, outcomes.length, repairable, passes))
}
closeInspector()
closeMeasurer()
closeRepairer()
const share = all.repairable === 0 ? 1 : all.passes / all.repairable
console.log(`\n${said.sort().join('\n')}`)
console.log(
  `\n${all.passes} of ${all.repairable} copies pass, ${Math.round(share * 1000) / 10} % (at least ${LEAST * 100} %): ${share >= LEAST ? 'kept' : 'missed'}`,
)
if (share < LEAST) process.exitCode = 1

async function repaired(labelled: Labelled): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'repairs-'))
  try {
    const file = path.join(folder, labelled.name)
    await labelled.write(file)
    const before = await subjectOf(file, labelled)
    const check = CATALOGUE.find(({ id }) => id === labelled.check)
    if (!check) throw new Error(`There is no check ${labelled.check}.`)
    const { thresholds = {} } = labelled
    const { steps, fixes, left } = planRepair(before, [{ check, thresholds }])
    if (!fixes.includes(check.id)) return { kind: 'left', why: left[0]?.why ?? 'nothing was found in it' }
    const name = steps.find((step) => step.do === 'rename')?.name ?? labelled.name
    const made = await repairFile(
      file,
      { mediaType: before.mediaType, kind: before.kind, steps },
      async ({ read, mediaType }) => {
        // Under its own name, beside the original.
        const into = path.join(mkdtempSync(path.join(folder, 'copy-')), name)
        await pipeline(read(), createWriteStream(into))
        return { into, mediaType }
      },
    )
    if ('failed' in made) return { kind: 'fails', why: made.failed }
    const after = await subjectOf(made.into, { ...labelled, content: made.mediaType })
    // A check that does not look at the copy, as its kind is another, finds nothing in it.
    const line = askCheck(after, check, thresholds)
    const passes = line === undefined || line.status === 'pass' || line.status === 'skipped'
    return { kind: passes ? 'passes' : 'fails', why: line ? `${line.status}: ${line.details}` : '' }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
