import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { preQcResults } from '@/db/schema/pre-qc'
import { onBatch } from '../batches/find'
import { ofBatch } from '../files/find'
import { DomainError, invalidField, invalidState, notFound, quote } from '../kernel/errors'
import { command, type Tx, writeEach } from '../kernel/operation'
import { assertFound } from '../kernel/rows'
import { assertNotClosed } from '../projects/rules'
import { assertBytes } from '../retention/rules'
import { onResult, serializeResult, serializeResults } from './queries'
import { profileFor, queueAttempts } from './queue'
import { whyNotRerun } from './rules'
import { PreQcResult, RerunBatch, RerunBatchResult, RerunResult } from './schema'

export const rerunResult = command({
  name: 'rerunResult',
  summary:
    'Check the file again, with the settings as they are now or as an attempt had them; the result before stays readable',
  permission: 'pre_qc.rerun',
  resource: onResult,
  input: RerunResult,
  output: PreQcResult,
  created: (result) => `/api/pre-qc/results/${result.id}`,
  async run(tx, { resource: { project, batch, result }, input }) {
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
    assertBytes(file)
    const profileId = input.profile_of ? await profileOfAttempt(tx, file.id, input.profile_of) : profile.id
    const [id] = await queueAttempts(tx, [file], profileId, { isUrgent: true })
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

/** @throws `validation_failed` where it is no attempt of the file */
async function profileOfAttempt(tx: Tx, fileId: string, resultId: string): Promise<string> {
  const [found] = await tx.db
    .select({ profileId: preQcResults.profileId })
    .from(preQcResults)
    .where(and(eq(preQcResults.id, resultId), eq(preQcResults.fileId, fileId)))
  if (found) return found.profileId
  throw invalidField('profile_of', 'unknown_reference', `${quote(resultId)} is no attempt of this file.`)
}

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
      .select({ file: files, result: { status: preQcResults.status, summary: preQcResults.summary } })
      .from(files)
      .leftJoin(preQcResults, and(eq(preQcResults.fileId, files.id), isTrue(preQcResults.isCurrent)))
      .where(
        input.file_ids
          ? ofBatch(batch.id, input.file_ids)
          : and(eq(files.batchId, batch.id), isTrue(files.isCurrent), isTrue(preQcResults.couldNotRun)),
      )
      .orderBy(files.id)
      .for('no key update', { of: files })
    if (input.file_ids)
      assertFound(
        'file',
        input.file_ids,
        found.map(({ file }) => file),
      )
    const left: z.output<typeof RerunBatchResult>['left'] = []
    const due = found.filter(({ file, result }) => {
      const reason = whyNotRerun({ isCurrent: file.isCurrent, isRemoved: file.removedAt !== null }, result)
      if (reason) left.push({ file: { id: file.id, name: file.name }, reason })
      return reason === null
    })
    const ids = await queueAttempts(
      tx,
      due.map(({ file }) => file),
      profile.id,
    )
    await writeEach([...due.entries()], ([index, { file, result }]) =>
      tx.record({
        type: 'pre_qc.rerun',
        projectId: project.id,
        batchId: batch.id,
        subjectId: ids[index] ?? batch.id,
        data: { file: file.name, before: result?.summary ?? null },
      }),
    )
    return { results: await serializeResults(tx, ids), left }
  },
})
