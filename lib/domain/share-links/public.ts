import { and, asc, eq, not, sql } from 'drizzle-orm'
import { users } from '@/db/schema/directory'
import { files } from '@/db/schema/files'
import { shareLinkFiles, shareLinks } from '@/db/schema/share-links'
import { certificateOf } from '../certificates/certificates'
import type { Certificate } from '../certificates/schema'
import type { FileRow } from '../files/present'
import { numberOf, seenSize } from '../files/seen-size'
import { assertEntered, authenticateVisit, isUnlocked, unlocking, watching } from '../guest-links/enter'
import { statusForHolder } from '../guest-links/rules'
import { forbidden, invalidState } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { isAmong } from '../kernel/rows'
import { decodeCursor, isoOrNull, page, upTo } from '../kernel/shapes'
import { presentPlayback, proxiesOf } from '../playback/find'
import { assertBytes } from '../retention/rules'
import { addressOf, showsTiles } from './address'
import {
  authenticateReceiver,
  byToken,
  countsOf,
  type FileOfShare,
  noteVisit,
  onSharedFile,
  type ShareLinkFileRow,
  type ShareLinkInBatch,
  withheld,
} from './find'
import type { Withheld } from './rules'
import { ListSharedFiles, type SharedFile, SharedFileList, ShareForReceiver } from './schema'

/** Shared files as their receiver views and downloads them, without an account. */

const asReceiver = { permission: 'anyone', authenticateAs: authenticateReceiver } as const
const onLink = { ...asReceiver, resource: byToken } as const
const onItsFile = { ...asReceiver, resource: onSharedFile } as const

export const getShare = query({
  ...onLink,
  authenticateAs: authenticateVisit(byToken.find, noteVisit),
  name: 'getShare',
  summary:
    'What a share link offers its receiver, from whom, until when; of a link that is over only that it is, of one behind a password the same until it is given',
  output: ShareForReceiver,
  async run(tx, { resource }): Promise<ShareForReceiver> {
    const { link, batch, project } = resource
    const status = statusForHolder(link, batch, tx.now)
    if (status !== 'active') return { status }
    if (!isUnlocked(tx, link)) return { status, password_required: true }
    const [contact] = await tx.db.select({ name: users.name }).from(users).where(eq(users.id, link.createdBy))
    return {
      status,
      password_required: false,
      name: link.name,
      note: link.note,
      may_download: link.mayDownload,
      expires_at: isoOrNull(link.expiresAt),
      project: { name: project.name },
      batch: { name: batch.name },
      contact: { name: contact?.name ?? '' },
      counts: (await countsOf(tx, batch.id, [link.id])).get(link.id) ?? { files: 0, offered: 0, size: 0 },
      archive_url: link.mayDownload ? `${addressOf(tx, resource)}/archive` : null,
      has_certificate: (await certificateOf(tx, batch)) !== null,
    }
  },
})

export const watchShare = query({
  ...onLink,
  name: 'watchShare',
  summary: 'Hints, as server-sent events, that what the link offers changed (`message`), and that it ended (`ended`)',
  ...watching('share link'),
})

/** Changes nothing: what it returns is a key that the browser keeps. */
export const unlockShareLink = query({
  ...onLink,
  name: 'unlockShareLink',
  summary: 'Give the password of a protected share link',
  ...unlocking('share link'),
})

type Shared = { row: ShareLinkFileRow; file: FileRow | null; withheld: Withheld | null }

const selectShared = (tx: Tx) =>
  tx.db
    .select({ row: shareLinkFiles, file: files, withheld })
    .from(shareLinkFiles)
    .innerJoin(shareLinks, eq(shareLinks.id, shareLinkFiles.linkId))

const FILES_SHOWN = 60

export const listSharedFiles = query({
  ...onLink,
  name: 'listSharedFiles',
  summary: 'The files of a share link by name, as they were shared; of one that is not offered any more, why',
  input: ListSharedFiles,
  output: SharedFileList,
  async run(tx, { resource, input }) {
    assertEntered('share link', tx, resource)
    const limit = input.limit ?? FILES_SHOWN
    const after = input.cursor && decodeCursor(input.cursor)
    const rows = await selectShared(tx)
      .leftJoin(files, eq(files.id, shareLinkFiles.fileId))
      .where(
        and(
          eq(shareLinkFiles.linkId, resource.link.id),
          after
            ? sql`${shareLinkFiles.position} > (select a.position from ${shareLinkFiles} a where a.id = ${after} and a.link_id = ${resource.link.id})`
            : undefined,
        ),
      )
      .orderBy(asc(shareLinkFiles.position))
      .limit(upTo(limit))
    const { rows: shown, next_cursor } = page(
      rows.map((shared) => ({ ...shared, id: shared.row.id })),
      limit,
    )
    return { files: await presentFiles(tx, resource, shown), next_cursor }
  },
})

async function presentFiles(tx: Tx, on: ShareLinkInBatch, shown: readonly Shared[]): Promise<SharedFile[]> {
  const proxies = await proxiesOf(
    tx,
    shown.flatMap(({ file }) => (file && isPlayed(file) ? [file.sha256] : [])),
  )
  const link = addressOf(tx, on)
  return shown.map(({ row, file, withheld }) => {
    const offered = withheld === null ? file : null
    const address = `${link}/files/${file?.id}`
    const hasPreview = Boolean(offered?.previews?.preview) && offered?.previewsRemovedAt === null
    const played = offered && isPlayed(offered) ? offered : null
    return {
      id: row.fileId,
      name: row.name,
      version: row.version,
      size: row.size,
      sha256: row.sha256,
      withheld,
      is_current: file?.isCurrent ?? false,
      kind: file?.kind ?? 'other',
      media_type: file?.mediaType ?? 'application/octet-stream',
      ...seenSize(offered?.media ?? {}),
      duration_seconds: numberOf(offered?.media.durationSeconds),
      pages: hasPreview ? (offered?.previews?.pages ?? 1) : 0,
      pages_in_file: numberOf(offered?.media.pages),
      thumbnail_url:
        hasPreview && offered?.previews?.thumbnail ? `${address}/thumbnail` : hasPreview ? `${address}/preview` : null,
      preview_url: hasPreview ? `${address}/preview` : null,
      tiles_url: offered && showsTiles(on.link, offered) ? `${address}/tiles` : null,
      media_url: played && `${address}/media`,
      // A receiver is shown what is complete.
      playback: played && { ...presentPlayback(played, proxies.get(played.sha256), address), pieces: null },
      download_url: offered && on.link.mayDownload ? `${address}/download` : null,
    }
  })
}

const isPlayed = ({ kind }: FileRow) => kind === 'video' || kind === 'audio'

/** The stored file for its image or for a player. Returns no JSON: the route streams it. */
export const openSharedFile = query({
  ...onItsFile,
  name: 'openSharedFile',
  summary: 'An image of a shared file',
  run: async (_tx, { resource }): Promise<FileRow> => resource.file,
})

/** @throws `forbidden` where only previews are shared */
function assertMayDownload({ link }: ShareLinkInBatch) {
  if (!link.mayDownload) throw forbidden('This link shows files, and does not let them be downloaded. Ask its sender.')
}

/** Counts a download that was begun, and writes it down: the files leave the service. */
async function noteDownload(tx: Tx, { link, batch, project }: ShareLinkInBatch, data: Record<string, unknown>) {
  await tx.db
    .update(shareLinks)
    .set({ downloadCount: sql`${shareLinks.downloadCount} + 1`, lastDownloadedAt: tx.now })
    .where(eq(shareLinks.id, link.id))
  await tx.record({
    type: 'share_link.downloaded',
    projectId: project.id,
    batchId: batch.id,
    subjectId: link.id,
    data: { name: batch.name, ...data },
  })
}

function originalOf({ file, ...on }: FileOfShare): FileRow {
  assertMayDownload(on)
  assertBytes(file)
  return file
}

export const downloadSharedFile = command({
  ...onItsFile,
  name: 'downloadSharedFile',
  summary: 'The bytes of a shared file, whole or by range, where the link allows downloads',
  async run(tx, { resource }): Promise<FileRow> {
    const file = originalOf(resource)
    await noteDownload(tx, resource, {
      files: 1,
      file: file.name,
      file_id: file.id,
      version: file.version,
      sha256: file.sha256,
    })
    return file
  },
})

/** The same where a download goes on that was counted when it was begun. */
export const resumeSharedFile = query({
  ...onItsFile,
  name: 'resumeSharedFile',
  summary: 'The rest of the bytes of a shared file',
  run: async (_tx, { resource }): Promise<FileRow> => originalOf(resource),
})

type WholeShare = ShareLinkInBatch & {
  files: FileRow[]
  leftOut: { name: string; version: number; sha256: string; why: Withheld }[]
  certificate: Certificate | null
}

/** All files of a link in their order. Those of its batch are read by the batch, and singly only what is there no more. */
async function allShared(tx: Tx, { link }: ShareLinkInBatch): Promise<Shared[]> {
  const ofLink = eq(shareLinkFiles.linkId, link.id)
  const inBatch = eq(files.batchId, link.batchId)
  const there = await selectShared(tx)
    .innerJoin(files, and(eq(files.id, shareLinkFiles.fileId), inBatch))
    .where(ofLink)
  const gone = not(isAmong(shareLinkFiles.fileId, tx.db.select({ id: files.id }).from(files).where(inBatch)))
  const others = await selectShared(tx).leftJoin(files, eq(files.id, shareLinkFiles.fileId)).where(and(ofLink, gone))
  return [...there, ...others].sort((a, b) => a.row.position - b.row.position)
}

async function wholeOf(tx: Tx, on: ShareLinkInBatch): Promise<WholeShare> {
  assertEntered('share link', tx, on)
  assertMayDownload(on)
  const all = await allShared(tx, on)
  const offered = all.flatMap(({ file, withheld }) => (file && withheld === null ? [file] : []))
  if (offered.length === 0) throw invalidState('None of the shared files is offered any more.', 'withheld', ['offered'])
  const leftOut = all.flatMap(({ row: { name, version, sha256 }, withheld: why }) =>
    why ? [{ name, version, sha256, why }] : [],
  )
  return { ...on, files: offered, leftOut, certificate: await certificateOf(tx, on.batch) }
}

export const downloadShare = command({
  ...onLink,
  name: 'downloadShare',
  summary: 'All files that a share link offers as one ZIP, with manifest and certificate, whole or by range',
  async run(tx, { resource }): Promise<WholeShare> {
    const whole = await wholeOf(tx, resource)
    await noteDownload(tx, resource, { files: whole.files.length })
    return whole
  },
})

export const resumeShare = query({
  ...onLink,
  name: 'resumeShare',
  summary: 'The rest of the ZIP of a share link',
  run: (tx, { resource }): Promise<WholeShare> => wholeOf(tx, resource),
})
