import { and, asc, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { isTrue } from '@/db/schema/columns'
import { files } from '@/db/schema/files'
import { type BatchInProject, onBatch } from '../batches/find'
import { forbidden, invalidState, quote, whyNot } from '../kernel/errors'
import { query, type Tx } from '../kernel/operation'
import { isAtLeast } from '../kernel/permissions'
import { assertFound } from '../kernel/rows'
import { decodeCursor, page, upTo } from '../kernel/shapes'
import { assertBytes } from '../retention/rules'
import { ofBatch, onFile } from './find'
import { type FileRow, presentFile, selectFiles } from './present'
import { CheckedSelection, File, FileList, ListFiles, SelectFiles } from './schema'

const SERIES = sql`coalesce(series_key, name_key)`

/** The file itself, and what it replaced or was replaced by. */
export const isVersionOf = (batchId: string, fileId: string) =>
  sql`coalesce(${files.seriesKey}, ${files.nameKey}) = (select ${SERIES} from files where id = ${fileId} and batch_id = ${batchId})`

export const listFiles = query({
  name: 'listFiles',
  summary:
    'The files of a batch: current versions, or every one with versions=all. What an archive holds is returned by each file alone',
  permission: 'projects.read',
  resource: onBatch,
  input: ListFiles,
  output: FileList,
  async run(tx, { resource: { batch }, input }) {
    const rows = await selectFiles(tx, true)
      .where(
        and(
          eq(files.batchId, batch.id),
          input.versions === 'all' ? undefined : isTrue(files.isCurrent),
          input.file_id ? isVersionOf(batch.id, input.file_id) : undefined,
          input.cursor ? lt(files.id, decodeCursor(input.cursor)) : undefined,
        ),
      )
      .orderBy(desc(files.id))
      .limit(upTo(input.limit))
    const { rows: shown, next_cursor } = page(
      rows.map((row) => ({ ...row, id: row.file.id })),
      input.limit,
    )
    return { files: shown.map((row) => presentFile(tx, row)), next_cursor }
  },
})

export async function serializeFile(tx: Tx, id: string): Promise<File> {
  const [row] = await selectFiles(tx).where(eq(files.id, id))
  if (!row) throw new Error(`File ${id} vanished while it was read.`)
  return presentFile(tx, row)
}

/** Files as the interface shows them, in the order of the ids. */
export async function serializeFiles(tx: Tx, ids: readonly string[]): Promise<File[]> {
  if (ids.length === 0) return []
  const rows = await selectFiles(tx, true).where(inArray(files.id, [...ids]))
  const byId = new Map(rows.map((row) => [row.file.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map((row) => presentFile(tx, row))
}

export const getFile = query({
  name: 'getFile',
  summary: 'One file: what it is, where it came from, what was decided',
  permission: 'projects.read',
  resource: onFile,
  isVersioned: true,
  output: File,
  run: (tx, { resource }) => serializeFile(tx, resource.file.id),
})

/** The stored file itself, for actors who may have its bytes. Returns no JSON: the download route streams it. */
export const openFile = query({
  name: 'openFile',
  summary: 'The bytes of a file',
  permission: 'projects.read',
  resource: onFile,
  async run(tx, { resource: { file } }): Promise<FileRow> {
    assertMayOpen(tx, file)
    return file
  },
})

/** @throws `forbidden` for a file in quarantine, unless a coordinator asks */
export function assertMayOpen({ actor }: Pick<Tx, 'actor'>, file: Pick<FileRow, 'name' | 'integrity'>) {
  const mayHaveQuarantined = actor.type === 'system' || (actor.type === 'user' && isAtLeast(actor.role, 'coordinator'))
  if (file.integrity === 'quarantined' && !mayHaveQuarantined) {
    throw forbidden(
      `${quote(file.name)} is in quarantine: it failed its integrity check. A coordinator can still fetch it.`,
    )
  }
}

/** The files of an approved batch, for actors who may have their bytes. Returns no JSON: the archive route streams them. */
export const openApprovedFiles = query({
  name: 'openApprovedFiles',
  summary: 'The approved files of a batch, as one ZIP',
  permission: 'projects.read',
  resource: onBatch,
  async run(tx, { resource: { project, batch } }): Promise<BatchInProject & { files: FileRow[] }> {
    if (batch.status !== 'approved') {
      throw invalidState(
        `The batch is ${batch.status}. Its files can be fetched as one archive when it is approved; until then each by itself.`,
        batch.status,
        ['approved'],
      )
    }
    const rows = await tx.db
      .select()
      .from(files)
      .where(and(eq(files.batchId, batch.id), isTrue(files.isCurrent), eq(files.decision, 'approved')))
      .orderBy(asc(files.nameKey))
    return { project, batch, files: rows }
  },
})

/** These files of the batch, of any version, by name; the newest of one name first. @throws `not_found` */
async function filesOf(tx: Tx, batchId: string, ids: readonly string[]): Promise<FileRow[]> {
  const rows = await tx.db
    .select()
    .from(files)
    .where(ofBatch(batchId, ids))
    .orderBy(asc(files.nameKey), desc(files.version))
  assertFound('file', ids, rows)
  return rows
}

/** Chosen files of a batch, for actors who may have their bytes. Returns no JSON: the archive route streams them. */
export const openSelectedFiles = query({
  name: 'openSelectedFiles',
  summary: 'Files of a batch, as one ZIP: all that are asked for, or a refusal that names the first that cannot be had',
  permission: 'projects.read',
  resource: onBatch,
  input: SelectFiles,
  inputInBody: true,
  async run(tx, { resource: { project, batch }, input }): Promise<BatchInProject & { files: FileRow[] }> {
    const found = await filesOf(tx, batch.id, input.file_ids)
    for (const file of found) {
      assertMayOpen(tx, file)
      assertBytes(file)
    }
    return { project, batch, files: found }
  },
})

export const checkSelectedFiles = query({
  name: 'checkSelectedFiles',
  summary: 'A dry run: which of these files you would get as one ZIP, how large it would be, and why not the others',
  permission: 'projects.read',
  resource: onBatch,
  input: SelectFiles,
  output: CheckedSelection,
  inputInBody: true,
  async run(tx, { resource: { batch }, input }) {
    const ready: FileRow[] = []
    const left: CheckedSelection['left'] = []
    for (const file of await filesOf(tx, batch.id, input.file_ids)) {
      const reason = whyNot(() => {
        assertMayOpen(tx, file)
        assertBytes(file)
      })
      if (reason) left.push({ file: { id: file.id, name: file.name }, reason })
      else ready.push(file)
    }
    return {
      files: ready.map(({ id, name }) => ({ id, name })),
      size: ready.reduce((sum, { size }) => sum + size, 0),
      left,
    }
  },
})
