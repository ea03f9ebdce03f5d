import { eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { type BatchInProject, findBatch } from '../batches/find'
import type { Finder, Tx } from '../kernel/operation'
import { findRow } from '../kernel/rows'
import type { FileRow } from './present'

export type FileInBatch = BatchInProject & { file: FileRow }

/** @throws `not_found` */
async function findFile(tx: Tx, batchInProject: BatchInProject, id: string, lock: boolean): Promise<FileInBatch> {
  const ofBatch = eq(files.batchId, batchInProject.batch.id)
  return { ...batchInProject, file: await findRow(tx, files, 'file', id, lock, ofBatch) }
}

export const onFile: Finder<'project_id' | 'batch_id' | 'file_id', FileInBatch> = {
  params: ['project_id', 'batch_id', 'file_id'],
  find: async (tx, { project_id, batch_id, file_id }, lock) =>
    findFile(tx, await findBatch(tx, project_id, batch_id, lock), file_id, lock),
}
