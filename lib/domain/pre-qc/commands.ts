import { and, eq, inArray } from 'drizzle-orm'
import type { z } from 'zod'
import { files } from '@/db/schema/files'
import { preQcResults, preQcWaivers } from '@/db/schema/pre-qc'
import { onBatch } from '../batches/find'
import { violates } from '../kernel/database-errors'
import { DomainError, invalidState, notFound, quote } from '../kernel/errors'
import { command, type Finder, type Tx } from '../kernel/operation'
import { allow } from '../kernel/permissions'
import { assertNotClosed } from '../projects/rules'
import { onResult, type ResultInBatch, serializeResult, serializeResults } from './queries'
import { profileFor, queueAttempts } from './queue'
import { couldNotRun, whyNotRerun } from './rules'
import { type CheckLine, PreQcResult, RerunBatch, RerunBatchResult, WaiveCheck } from './schema'

export const rerunResult = command({
  name: 'rerunResult',
  summary: 'Check the file again, with the settings as they are now; the result before stays readable',
  permission: 'pre_qc.rerun',
  resource: onResult,
  output: PreQcResult,
  created: (result) => `/api/pre-qc/results/${result.id}`,
  async run(tx, { resource: { project, batch, result } }) {
    assertNotClosed(project)
    if (!result.isCurrent)
      throw invalidState('A newer result of this file is there. Re-run that one.', 'superseded', ['current'])
    if (result.status === 'queued' || result.status === 'running') {
      throw invalidState(
        `The checks of this file are ${result.status} already. Wait for their result.`,
        result.status,
        ['completed', 'failed'],
      )
    }
    const profile = await profileOrRefuse(tx, batch.id)
    const [file] = await tx.db.select().from(files).where(eq(files.id, result.fileId))
    if (!file) throw notFound('file', result.fileId)
    const [id] = await queueAttempts(tx, [file], profile.id, { isUrgent: true })
    if (!id) throw new Error('A queued attempt has no id.')
    await tx.record({
      type: 'pre_qc.rerun',
      projectId: project.id,
      batchId: batch.id,
      subjectId: id,
      data: { file: file.name, before: result.summary },
    })
    return serializeResult(tx, id)
  },
})

/** @throws `invalid_state` where Pre-QC is switched off */
async function profileOrRefuse(tx: Tx, batchId: string) {
  const profile = await profileFor(tx, batchId)
  if (profile) return profile
  throw new DomainError(
    'invalid_state',
    'Pre-QC is switched off for this media category. An administrator can switch it on in Settings.',
    { current: 'disabled', allowed: ['enabled'] },
  )
}

export const rerunBatch = command({
  name: 'rerunBatch',
  summary:
    'Check many files of a batch again: those named, else all that could not be checked; the others stay, each with the reason',
  permission: 'pre_qc.rerun',
  resource: onBatch,
  input: RerunBatch,
  output: RerunBatchResult,
  async run(tx, { resource: { project, batch }, input }) {
    assertNotClosed(project)
    const profile = await profileOrRefuse(tx, batch.id)
    const found = await tx.db
      .select({ file: files, result: preQcResults })
      .from(files)
      .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), eq(preQcResults.isCurrent, true)))
      .where(
        and(
          eq(files.batchId, batch.id),
          input.file_ids ? inArray(files.id, input.file_ids) : eq(files.isCurrent, true),
        ),
      )
      .orderBy(files.id)
      .for('no key update', { of: files })
    const missing = input.file_ids?.find((id) => !found.some(({ file }) => file.id === id))
    if (missing) throw notFound('file', missing)
    const left: z.output<typeof RerunBatchResult>['left'] = []
    const due = found.filter(({ file, result }) => {
      const state = result && { status: result.status, checks: result.checks as CheckLine[] }
      if (!input.file_ids && !couldNotRun(state)) return false
      const reason = whyNotRerun(file, state)
      if (reason) left.push({ file: { id: file.id, name: file.name }, reason })
      return reason === null
    })
    const ids = await queueAttempts(
      tx,
      due.map(({ file }) => file),
      profile.id,
    )
    for (const [index, { file, result }] of due.entries()) {
      await tx.record({
        type: 'pre_qc.rerun',
        projectId: project.id,
        batchId: batch.id,
        subjectId: ids[index] ?? batch.id,
        data: { file: file.name, before: result?.summary ?? null },
      })
    }
    return { results: await serializeResults(tx, ids), left }
  },
})

type CheckInResult = ResultInBatch & { check: CheckLine }

const onCheck: Finder<'result_id' | 'check_id', CheckInResult> = {
  params: ['result_id', 'check_id'],
  async find(tx, { result_id, check_id }, lock) {
    const found = await onResult.find(tx, { result_id }, lock)
    const check = (found.result.checks as CheckLine[]).find((line) => line.check_id === check_id)
    if (!check) throw notFound('check in this result', check_id)
    return { ...found, check }
  },
}

export const waiveCheck = command({
  name: 'waiveCheck',
  summary: 'Accept what a check found, with a reason; a new version of the file is not covered',
  permission: 'pre_qc.waive',
  resource: onCheck,
  input: WaiveCheck,
  output: PreQcResult,
  async run(tx, { resource: { project, batch, result, check }, input }) {
    if (tx.actor.type !== 'user') throw new Error('Checks are waived by people.')
    assertNotClosed(project)
    if (check.severity === 'blocking') allow(tx.actor, 'pre_qc.waive_blocking')
    if (check.status !== 'fail' && check.status !== 'warning' && check.status !== 'error') {
      throw invalidState(`${quote(check.label)} is ${check.status}; there is nothing to waive.`, check.status, [
        'fail',
        'warning',
        'error',
      ])
    }
    try {
      await tx.db.insert(preQcWaivers).values({
        resultId: result.id,
        checkId: check.check_id,
        reason: input.reason,
        createdBy: tx.actor.id,
        createdAt: tx.now,
      })
    } catch (error) {
      if (violates(error, 'pre_qc_waivers_result_id_check_id_key'))
        throw invalidState(`${quote(check.label)} is waived already.`, 'waived', ['fail', 'warning', 'error'])
      throw error
    }
    await tx.record({
      type: 'pre_qc.check_waived',
      projectId: project.id,
      batchId: batch.id,
      subjectId: result.id,
      data: { check_id: check.check_id, reason: input.reason, sha256: result.fileSha256, before: check.status },
    })
    const waived = await serializeResult(tx, result.id)
    await tx.db
      .update(preQcResults)
      .set({ summary: waived.summary, updatedAt: tx.now })
      .where(eq(preQcResults.id, result.id))
    return waived
  },
})
