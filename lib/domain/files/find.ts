import { and, eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { type BatchInProject, findBatch } from '../batches/find'
import { notFound } from '../kernel/errors'
import type { Finder, Tx } from '../kernel/operation'
import { isUuid } from '../kernel/shapes'
import type { FileRow } from './present'

export type FileInBatch = BatchInProject & { file: FileRow }

/** @throws `not_found` */
export async function findFile(
  tx: Tx,
  batchInProject: BatchInProject,
  id: string,
  lock: boolean,
): Promise<FileInBatch> {
  if (!isUuid(id)) throw notFound('file', id)
  const select = tx.db
    .select()
    .from(files)
    .where(and(eq(files.id, id), eq(files.batchId, batchInProject.batch.id)))
  const [file] = await (lock ? select.for('no key update') : select)
  if (!file) throw notFound('file', id)
  return { ...batchInProject, file }
}

export const onFile: Finder<'project_id' | 'batch_id' | 'file_id', FileInBatch> = {
  params: ['project_id', 'batch_id', 'file_id'],
  find: async (tx, { project_id, batch_id, file_id }, lock) =>
    findFile(tx, await findBatch(tx, project_id, batch_id, lock), file_id, lock),
}
