import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcMeasurements, preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { batches } from '@/db/schema/projects'
import { evaluateOn } from '@/lib/checks/announced'
import type { Subject } from '@/lib/checks/check'
import { type CheckSettings, ENGINE_VERSION } from '@/lib/checks/engine'
import { explainChecks } from '@/lib/checks/settings'
import { summarise } from '@/lib/checks/summary'
import { CHECK_STATUSES, type CheckStatus, RESULT_SUMMARIES, type ResultSummary } from '@/lib/vocabulary'
import { invalid } from '../kernel/errors'
import { query, type Tx } from '../kernel/operation'
import { dayOf, uuid } from '../kernel/shapes'
import { onMediaCategory } from '../settings/queries'
import { checks } from '../settings/schema'

const summary = z.enum(RESULT_SUMMARIES)
const status = z.enum(CHECK_STATUSES).nullable().describe('Null: the check does not run')
const tally = z.object({ pass: z.int(), warning: z.int(), fail: z.int(), not_applicable: z.int() })

const SimulateChecks = z.strictObject({
  checks,
  last: z.int().min(1).max(500).default(100).describe('How many of the newest files are inspected'),
  on: z.iso.date().optional().describe('The day as of which announced rules hold; by default today'),
})

export const Simulation = z
  .object({
    files: z.int().describe('Files inspected: the newest whose measurements are kept'),
    unmeasured: z
      .int()
      .describe('Newer files that were left out, because they were checked before measurements were kept'),
    engine_version: z.string(),
    before: tally,
    after: tally,
    changes: z.array(
      z.object({
        file: z.object({ id: uuid, name: z.string(), batch_id: uuid, project_id: uuid }),
        before: summary,
        after: summary,
        checks: z.array(z.object({ check_id: z.string(), label: z.string(), before: status, after: status })),
      }),
    ),
  })
  .meta({ id: 'Simulation' })
export type Simulation = z.infer<typeof Simulation>

/**
 * Which files would change their verdict under other settings. Both sides are evaluated anew from what was measured, by the
 * engine as it is now, so that a difference is the settings' and nothing else's. Waivers hold on both.
 */
export const simulateChecks = query({
  name: 'simulateChecks',
  summary: 'Try Pre-QC settings on the last files of a media category, without checking anything again',
  permission: 'directory.manage',
  resource: onMediaCategory,
  input: SimulateChecks,
  output: Simulation,
  inputInBody: true,
  async run(tx, { resource: category, input }): Promise<Simulation> {
    const errors = explainChecks(input.checks)
    if (errors.length > 0) throw invalid(errors.map((error) => ({ ...error, path: `checks.${error.path}` })))
    const { measured, unmeasured } = await lastMeasured(tx, category.id, input.last)
    const waived = await waiversOf(
      tx,
      measured.map(({ resultId }) => resultId),
    )
    const day = input.on ?? dayOf(tx.now)
    const [before, after] = [emptyTally(), emptyTally()]
    const changes: Simulation['changes'] = []
    for (const { resultId, subject, ...file } of measured) {
      const isWaived = (checkId: string) => waived.has(`${resultId} ${checkId}`)
      const now = evaluate(subject, category.preQc.checks, day, isWaived)
      const then = evaluate(subject, input.checks, day, isWaived)
      before[now.summary] += 1
      after[then.summary] += 1
      if (now.summary === then.summary) continue
      changes.push({
        file: { id: file.fileId, name: file.name, batch_id: file.batchId, project_id: file.projectId },
        before: now.summary,
        after: then.summary,
        checks: differences(now.lines, then.lines),
      })
    }
    return { files: measured.length, unmeasured, engine_version: ENGINE_VERSION, before, after, changes }
  },
})

type Lines = Map<string, { label: string; status: CheckStatus }>
const emptyTally = (): Record<ResultSummary, number> => ({ pass: 0, warning: 0, fail: 0, not_applicable: 0 })

function evaluate(
  subject: Subject,
  settings: Record<string, CheckSettings>,
  day: string,
  isWaived: (checkId: string) => boolean,
): { summary: ResultSummary; lines: Lines } {
  const { checks } = evaluateOn(subject, { checks: settings }, day)
  const lines: Lines = new Map(
    checks.map(({ check_id, label, status }) => {
      const counts = status !== 'pass' && status !== 'skipped' && isWaived(check_id)
      return [check_id, { label, status: counts ? 'waived' : status }]
    }),
  )
  return { summary: summarise([...lines.values()]), lines }
}

function differences(before: Lines, after: Lines) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((check_id) => {
    const [was, is] = [before.get(check_id), after.get(check_id)]
    if (was?.status === is?.status) return []
    return [{ check_id, label: (is ?? was)?.label ?? check_id, before: was?.status ?? null, after: is?.status ?? null }]
  })
}

/** The newest files of the category that were checked, each with what was measured of it. */
async function lastMeasured(tx: Tx, categoryId: string, last: number) {
  const rows = await tx.db
    .select({
      resultId: preQcResults.id,
      fileId: files.id,
      name: files.name,
      batchId: files.batchId,
      projectId: files.projectId,
      subject: preQcMeasurements.subject,
    })
    .from(preQcResults)
    .innerJoin(files, and(eq(files.id, preQcResults.fileId), isTrue(files.isCurrent)))
    .innerJoin(batches, eq(batches.id, preQcResults.batchId))
    .leftJoin(preQcMeasurements, eq(preQcMeasurements.resultId, preQcResults.id))
    .where(
      and(
        eq(batches.mediaCategoryId, categoryId),
        isTrue(preQcResults.isCurrent),
        eq(preQcResults.status, 'completed'),
      ),
    )
    .orderBy(desc(preQcResults.id))
    .limit(last)
  const measured = rows.flatMap(({ subject, ...row }) =>
    subject ? [{ ...row, subject: subject as unknown as Subject }] : [],
  )
  return { measured, unmeasured: rows.length - measured.length }
}

async function waiversOf(tx: Tx, resultIds: readonly string[]): Promise<Set<string>> {
  if (resultIds.length === 0) return new Set()
  const rows = await tx.db
    .select({ resultId: preQcWaivers.resultId, checkId: preQcWaivers.checkId })
    .from(preQcWaivers)
    .where(inArray(preQcWaivers.resultId, [...resultIds]))
  return new Set(rows.map(({ resultId, checkId }) => `${resultId} ${checkId}`))
}
