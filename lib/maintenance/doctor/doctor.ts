import { inTransaction } from '@/lib/domain/kernel/operation'
import type { Check, Outcome, Repair, Status, Subject } from './check'
import { copies } from './copies'
import { counters } from './counters'
import { audit, databaseResponds, migrations, secrets } from './database'
import { jobs, unfinished, workers } from './jobs'
import { clock, disk, mail, sandbox, settings, storage } from './machine'
import { measurements } from './measurements'
import { objects, unclaimed } from './objects'

/** In the order of their lines: what others stand on comes first. */
const CHECKS: readonly Check[] = [
  settings,
  databaseResponds,
  migrations,
  clock,
  storage,
  disk,
  sandbox,
  mail,
  secrets,
  workers,
  jobs,
  unfinished,
  counters,
  measurements,
  audit,
  unclaimed,
  objects,
  copies,
]

/** `seconds`: how long it took. */
export type Finding = Required<Omit<Outcome, 'repair' | 'fix'>> & {
  check: string
  fix: string | null
  seconds: number
  /** What was put right, where that was asked for. */
  repaired: string[]
}

/**
 * Examines the whole service. With `repairs`, what is safe to put right is: each repair in one transaction, with a line on
 * the audit trail, and its check is run again after it. A check that cannot be run is a problem; none throws.
 */
export async function examine(subject: Subject, options: { repairs: boolean }): Promise<Finding[]> {
  const findings: Finding[] = []
  let isWithoutDatabase = false
  for (const check of CHECKS) {
    if (check.needsDatabase && isWithoutDatabase) {
      findings.push({ ...NOT_RUN, check: check.id })
      continue
    }
    const began = performance.now()
    let outcome = await run(check, subject)
    const repaired: string[] = []
    if (options.repairs && outcome.repair) {
      try {
        repaired.push(...(await repair(check.id, subject, outcome.repair)))
        outcome = await run(check, { ...subject, ctx: { ...subject.ctx, now: new Date() } })
      } catch (error) {
        outcome = { ...outcome, details: [...(outcome.details ?? []), `It could not be put right: ${reasonOf(error)}`] }
      }
    }
    const { status, value, details = [], fix = null } = outcome
    const seconds = (performance.now() - began) / 1000
    findings.push({ check: check.id, status, value, details, fix, seconds, repaired })
    // Without its tables, nothing else can be said of it either.
    if ((check === databaseResponds || check === migrations) && status === 'problem') isWithoutDatabase = true
  }
  return findings
}

const NOT_RUN = {
  status: 'problem' as Status,
  value: 'not run: it needs the database, as this version knows it',
  details: [],
  fix: null,
  seconds: 0,
  repaired: [],
}

async function run(check: Check, subject: Subject): Promise<Outcome> {
  try {
    return await check.examine(subject)
  } catch (error) {
    return { status: 'problem', value: 'could not be examined', details: [reasonOf(error)], fix: fixOf(error) }
  }
}

async function repair(check: string, { ctx }: Subject, put: Repair): Promise<string[]> {
  const { done, afterwards } = await inTransaction(ctx, async (tx) => {
    const work = await put(tx)
    if (work.done.length > 0)
      await tx.record({
        type: 'service.repaired',
        data: { check, count: work.done.length, repaired: work.done.slice(0, 100) },
      })
    return work
  })
  await afterwards?.()
  return done
}

const causeOf = (error: unknown) => ((error as Error)?.cause ?? error) as Error & { code?: string }
const reasonOf = (error: unknown) => causeOf(error).message || String(causeOf(error).code ?? error)
const fixOf = (error: unknown) =>
  causeOf(error).code === 'ECONNREFUSED'
    ? 'Start Greenroom (npm start), whose own database runs while it does, or repair the one that DATABASE_URL names.'
    : 'See what the message says; the logs in DATA_DIR/logs have more.'
