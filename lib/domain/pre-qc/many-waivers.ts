import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { onBatch } from '../batches/find'
import { ofBatch } from '../files/find'
import { SelectFiles } from '../files/schema'
import { DomainError } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { assertFound } from '../kernel/rows'
import { assertNotClosed } from '../projects/rules'
import { serviceSettingsOf } from '../settings/queries'
import { type CheckLine, WaivableFindings, WaiveChecks, WaivedChecks } from './schema'
import { settle } from './settle'
import { endOf, waive } from './waivers'

/** These files of the batch, each with its newest result, locked. @throws `not_found` */
async function lockResults(tx: Tx, batchId: string, ids: readonly string[]) {
  const found = await tx.db
    .select({ id: files.id, name: files.name, isCurrent: files.isCurrent })
    .from(files)
    .where(ofBatch(batchId, ids))
    .orderBy(files.id)
    .for('no key update')
  assertFound('file', ids, found)
  const results = await tx.db
    .select()
    .from(preQcResults)
    .where(and(inArray(preQcResults.fileId, [...ids]), isTrue(preQcResults.isCurrent)))
    .orderBy(preQcResults.id)
    .for('no key update')
  const byFile = new Map(results.map((result) => [result.fileId, result]))
  return found.map((file) => ({ ...file, result: byFile.get(file.id) }))
}

export const waiveChecks = command({
  name: 'waiveChecks',
  summary:
    'Accept what one check found in many files, with one reason; files without that finding, or where it may not be waived, stay as they are, each with the reason',
  permission: 'pre_qc.waive',
  resource: onBatch,
  input: WaiveChecks,
  output: WaivedChecks,
  async run(tx, { resource: where, input }) {
    assertNotClosed(where.project)
    const said = { reason: input.reason, reason_code: input.reason_code, expiresAt: endOf(tx, input) }
    const outcome: z.output<typeof WaivedChecks> = { waived: [], proposed: [], left: [] }
    for (const { id, name, isCurrent, result } of await lockResults(tx, where.batch.id, input.file_ids)) {
      const file = { id, name }
      const check = (result?.checks as CheckLine[] | undefined)?.find(({ check_id }) => check_id === input.check_id)
      if (!isCurrent) outcome.left.push({ file, reason: 'A newer version has replaced it.' })
      else if (!result) outcome.left.push({ file, reason: 'It has not been checked yet.' })
      else if (!check) outcome.left.push({ file, reason: 'It has no such finding.' })
      else {
        try {
          outcome[await waive(tx, { ...where, result }, check, said)].push(file)
          await settle(tx, result.id)
        } catch (error) {
          if (!(error instanceof DomainError)) throw error
          outcome.left.push({ file, reason: error.detail })
        }
      }
    }
    return outcome
  },
})

/** Checks of the result that found something which is not waived: `c`, one a row. */
const FINDINGS = sql`unnest(findings_of_result(${preQcResults.id}, ${preQcResults.checks})) as found (check_id)
  join json_array_elements(${preQcResults.checks}) as c on c ->> 'check_id' = found.check_id`

export const previewWaivers = query({
  name: 'previewWaivers',
  summary: 'What the checks found in these files and is not waived: each check, and how many of the files it concerns',
  permission: 'projects.read',
  resource: onBatch,
  input: SelectFiles,
  output: WaivableFindings,
  inputInBody: true,
  async run(tx, { resource: { batch }, input }) {
    const findings = await tx.db.execute<WaivableFindings['findings'][number]>(sql`
      select found.check_id, max(found.label) as label, max(found.severity) as severity, count(*)::int as files
      from ${files} join ${preQcResults} on ${and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent))}
        cross join lateral (select c ->> 'check_id' as check_id, c ->> 'label' as label, c ->> 'severity' as severity
          from ${FINDINGS}) found
      where ${and(ofBatch(batch.id, input.file_ids), isTrue(files.isCurrent))}
        and ${preQcResults.status} = 'completed'
      group by found.check_id order by count(*) desc, 2`)
    return { findings: [...findings], needs_second: (await serviceSettingsOf(tx)).waivers_need_second }
  },
})
