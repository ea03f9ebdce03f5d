import { CHECK_IDS } from '@/lib/checks/catalogue'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import type { Labelled } from '../labelled'
import { type Evaluated, evaluate } from '../labelled/evaluate'
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
  const evaluateInLine = evaluator()
  const all = checks.map((check) => ({
    check,
    files: labelled
      .filter((each) => each.check === check)
      .map((file) => ({ isFaulty: file.isFaulty, evaluated: evaluateInLine(file) })),
  }))
  try {
    for (const { check, files } of all) {
      const asked: Asked = { check, outcomes: [], wrong: [] }
      for (const { isFaulty, evaluated } of files) {
        const { verdict, confidence, report } = await evaluated
        asked.outcomes.push({ verdict, confidence, isFaulty })
        if (verdict !== 'right') asked.wrong.push(`${check}: ${verdict}: ${report}`)
      }
      yield asked
    }
  } finally {
    closeInspector()
    closeMeasurer()
  }
}

/** One file after another; ads, which are watched for seconds and compute little, in a line of their own beside the rest. */
function evaluator(): (file: Labelled) => Promise<Evaluated> {
  const lines: Record<'ads' | 'others', Promise<unknown>> = { ads: Promise.resolve(), others: Promise.resolve() }
  return (file) => {
    const line = file.runs ? 'ads' : 'others'
    const evaluated = lines[line].then(() => evaluate(file))
    // What failed is reported where it is asked for; the next file is evaluated all the same.
    lines[line] = evaluated.catch(() => undefined)
    return evaluated
  }
}
