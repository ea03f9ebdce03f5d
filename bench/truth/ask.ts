import { CHECK_IDS } from '@/lib/checks/catalogue'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import type { Labelled } from '../labelled'
import { evaluate } from '../labelled/evaluate'
import type { Outcome } from './tally'

/** The checks named on the command line, or all. Ends the process with 2 for one that does not exist. */
export function askedChecks(named: readonly string[]): readonly string[] {
  const unknown = named.filter((id) => !CHECK_IDS.includes(id as (typeof CHECK_IDS)[number]))
  if (unknown.length > 0) {
    console.error(`There is no check ${unknown.join(', ')}. The checks are ${CHECK_IDS.join(', ')}.`)
    process.exit(2)
  }
  return named.length > 0 ? CHECK_IDS.filter((id) => named.includes(id)) : CHECK_IDS
}

export type Asked = { check: string; outcomes: Outcome[]; wrong: string[] }

/** What each check says of its files, check by check; those without files are given, too. */
export async function* askChecks(checks: readonly string[], labelled: readonly Labelled[]): AsyncGenerator<Asked> {
  try {
    for (const check of checks) {
      const asked: Asked = { check, outcomes: [], wrong: [] }
      for (const file of labelled.filter((each) => each.check === check)) {
        const { verdict, confidence, report } = await evaluate(file)
        asked.outcomes.push({ verdict, confidence, isFaulty: file.isFaulty })
        if (verdict !== 'right') asked.wrong.push(`${check}: ${verdict}: ${report}`)
      }
      yield asked
    }
  } finally {
    closeInspector()
    closeMeasurer()
  }
}
