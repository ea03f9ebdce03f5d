import { eq } from 'drizzle-orm'
import { files } from '@/db/schema/files'
import { type BatchInProject, onBatch, onBatchForFiles } from '../batches/find'
import { assertTakesFiles, STAFF_UPLOADS } from '../batches/rules'
import { countStored } from '../directory/storage'
import { invalidState } from '../kernel/errors'
import { intake } from '../kernel/intake'
import { command, query, type Tx } from '../kernel/operation'
import { assertNotHeld } from '../projects/holds'
import { assertNotClosed, isClosed } from '../projects/rules'
import { releaseOfFile } from './attachments'
import { checkAll } from './check'
import { onFile } from './find'
import { fileValidation, isStoredTogether, rulesOf, storeFile } from './intake'
import { type FileRow, presentFile } from './present'
import { serializeFile } from './queries'
import { namingOf } from './rules'
import { CheckedFiles, CheckFiles, File } from './schema'

export const receiveFile = intake({
  name: 'receiveFile',
  summary: 'Upload a file: validated by name, content and integrity before it is stored',
  permission: 'files.upload',
  resource: onBatchForFiles,
  output: File,
  created: (file, params) => `/api/projects/${params.project_id}/batches/${file.batch_id}/files/${file.id}`,
  expect: expectByStaff,
  validate: fileValidation,
  isShared: isStoredTogether,
  async store(tx, file, besideEvent) {
    assertOpen(file.resource)
    return presentNew(tx, await storeFile(tx, { ...file, beside: (row) => besideEvent(presentNew(tx, row)) }))
  },
})

/** For the screen that sends files, to explain names by; null when staff may add none, which another may just have caused. */
export const expectFile = query({
  name: 'expectFile',
  summary: 'How new files of a batch are named',
  permission: 'files.upload',
  resource: onBatch,
  async run(tx, { resource }) {
    if (isClosed(resource.project.status) || !STAFF_UPLOADS.includes(resource.batch.status)) return null
    return namingOf(await rulesOf(tx, resource, 'user'))
  },
})

export const checkNewFiles = query({
  name: 'checkNewFiles',
  summary: 'A dry run: which of these files the batch would take, by name, size and hash; nothing is stored',
  permission: 'files.upload',
  resource: onBatch,
  input: CheckFiles,
  output: CheckedFiles,
  inputInBody: true,
  async run(tx, { resource, input }) {
    assertOpen(resource)
    return checkAll(tx, resource, 'user', input)
  },
})

async function expectByStaff(tx: Tx, where: BatchInProject) {
  assertOpen(where)
  return rulesOf(tx, where, 'user')
}

/** A file as it was just stored by a user: nothing was decided or found of it yet, and who sent it is who acts. */
function presentNew(tx: Tx, file: FileRow) {
  const sourceName = tx.actor.type === 'user' ? tx.actor.name : ''
  return presentFile(tx, { file, batchId: file.batchId, reviewerName: null, sourceName, result: null })
}

/** Whether staff may add files at this moment. */
function assertOpen({ project, batch }: BatchInProject) {
  assertNotClosed(project)
  assertTakesFiles(batch.status, 'user')
}

export const deleteFile = command({
  name: 'deleteFile',
  summary: 'Remove a file from a batch that was not submitted yet',
  permission: 'files.delete',
  resource: onFile,
  output: File,
  async run(tx, { resource: { project, batch, file } }) {
    assertNotClosed(project)
    if (batch.status !== 'open')
      throw invalidState(`Files can be removed while the batch is open; it is ${batch.status}.`, batch.status, ['open'])
    const shown = await serializeFile(tx, file.id)
    await assertNotHeld(tx, project)
    await releaseOfFile(tx, project.agencyId, file.id)
    await tx.db.delete(files).where(eq(files.id, file.id))
    await countStored(tx, project.agencyId, file.removedAt ? 0 : -file.size)
    await tx.record({
      type: 'file.deleted',
      projectId: project.id,
      batchId: batch.id,
      subjectId: file.id,
      data: { file: file.name, sha256: file.sha256, objectKey: file.objectKey },
    })
    return shown
  },
})
