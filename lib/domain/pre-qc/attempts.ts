import { and, desc, eq, lt } from 'drizzle-orm'
import { preQcResults } from '@/db/schema/pre-qc'
import { onFile } from '../files/find'
import { notFound } from '../kernel/errors'
import { query } from '../kernel/operation'
import { decodeCursor, page } from '../kernel/shapes'
import { onResult, serializeResults } from './queries'
import { isProblem } from './rules'
import {
  type Attempt,
  AttemptComparison,
  AttemptList,
  type CheckLine,
  CompareAttempts,
  ListAttempts,
  type PreQcResult,
} from './schema'

export const listAttempts = query({
  name: 'listAttempts',
  summary: 'Every run of the checks of a file, the newest first, each with the version of the profile it used',
  permission: 'projects.read',
  resource: onFile,
  input: ListAttempts,
  output: AttemptList,
  async run(tx, { resource: { file }, input }) {
    const limit = input.limit ?? 100
    const rows = await tx.db
      .select({ id: preQcResults.id, isCurrent: preQcResults.isCurrent })
      .from(preQcResults)
      .where(
        and(
          eq(preQcResults.fileId, file.id),
          input.cursor ? lt(preQcResults.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(preQcResults.id))
      .limit(limit + 1)
    const { rows: shown, next_cursor } = page(rows, limit)
    const results = new Map(
      (
        await serializeResults(
          tx,
          shown.map(({ id }) => id),
        )
      ).map((result) => [result.id, result]),
    )
    return {
      attempts: shown.flatMap(({ id, isCurrent }) => {
        const result = results.get(id)
        return result ? [inShort(result, isCurrent)] : []
      }),
      next_cursor,
    }
  },
})

export const compareAttempts = query({
  name: 'compareAttempts',
  summary: 'What two runs of the checks of one file say differently',
  permission: 'projects.read',
  resource: onResult,
  input: CompareAttempts,
  output: AttemptComparison,
  async run(tx, { resource: { result }, input }) {
    const rows = await tx.db
      .select({ id: preQcResults.id, isCurrent: preQcResults.isCurrent })
      .from(preQcResults)
      .where(eq(preQcResults.fileId, result.fileId))
    if (!rows.some(({ id }) => id === input.with)) throw notFound('attempt of the same file', input.with)
    const pair = (await serializeResults(tx, [result.id, input.with])).sort((a, b) => a.attempt - b.attempt)
    const [before, after = before] = pair
    if (!before || !after) throw new Error(`The attempts of file ${result.fileId} vanished while they were read.`)
    const short = (one: PreQcResult) => inShort(one, rows.find(({ id }) => id === one.id)?.isCurrent ?? false)
    return { before: short(before), after: short(after), ...differences(before.checks, after.checks) }
  },
})

const inShort = (result: PreQcResult, is_current: boolean): Attempt => ({
  result_id: result.id,
  attempt: result.attempt,
  is_current,
  status: result.status,
  summary: result.summary,
  findings: result.checks.filter(({ status }) => isProblem(status)).length,
  profile: result.profile,
  engine_version: result.engine_version,
  created_at: result.created_at,
  completed_at: result.completed_at,
})

function differences(before: readonly CheckLine[], after: readonly CheckLine[]) {
  const said = (line: CheckLine | undefined) => (line ? { status: line.status, details: line.details } : null)
  const ids = [...new Set([...after, ...before].map(({ check_id }) => check_id))]
  const checks = ids.flatMap((check_id) => {
    const [was, is] = [before, after].map((lines) => lines.find((line) => line.check_id === check_id))
    if (was && is && was.status === is.status && was.details === is.details) return []
    return [{ check_id, label: (is ?? was)?.label ?? check_id, before: said(was), after: said(is) }]
  })
  return { checks, same: ids.length - checks.length }
}
