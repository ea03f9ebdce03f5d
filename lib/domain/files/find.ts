import { and, eq, sql } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { type BatchInProject, findBatch } from '../batches/find'
import type { Finder, Tx } from '../kernel/operation'
import { findRow, isAmong, isAnyOf } from '../kernel/rows'
import type { FileRow } from './present'

export type FileInBatch = BatchInProject & { file: FileRow }

/**
 * Files of a batch or project, by their ids. Each is looked up by its id: by the batch as well, PostgreSQL reads all of it where
 * it plans a prepared statement for a batch of the usual size, which for every 200 files of 10,000 is 7,500 blocks.
 */
const byIdIn = (owner: typeof files.batchId | typeof files.projectId, ownerId: string, ids: readonly string[]) =>
  and(isAnyOf(files.id, ids), isAmong(owner, sql`select ${ownerId}::uuid`))
export const ofBatch = (batchId: string, ids: readonly string[]) => byIdIn(files.batchId, batchId, ids)
export const ofProject = (projectId: string, ids: readonly string[]) => byIdIn(files.projectId, projectId, ids)

/** @throws `not_found` */
async function findFile(tx: Tx, batchInProject: BatchInProject, id: string, lock: boolean): Promise<FileInBatch> {
  const isItsFile = eq(files.batchId, batchInProject.batch.id)
  return { ...batchInProject, file: await findRow(tx, files, 'file', id, lock, isItsFile) }
}

export const onFile: Finder<'project_id' | 'batch_id' | 'file_id', FileInBatch> = {
  params: ['project_id', 'batch_id', 'file_id'],
  find: async (tx, { project_id, batch_id, file_id }, lock) =>
    findFile(tx, await findBatch(tx, project_id, batch_id, lock), file_id, lock),
}
