import { assertShown } from '../files/content-copies'
import { onFile } from '../files/find'
import { type FileRow, filePath } from '../files/present'
import { assertMayOpen } from '../files/queries'
import type { BlobKey } from '../kernel/blob-store'
import { DomainError, invalidState, quote } from '../kernel/errors'
import { command, query, type Tx } from '../kernel/operation'
import { assertBytes, assertPreviews } from '../retention/rules'
import { audioOf, type ProxyRow, pairKey, presentPlayback, proxiesOf } from './find'
import { pieceKey } from './pieces'
import { queuePlayback } from './queue'
import { copyWanted } from './rules'
import { Playback } from './schema'

async function playbackOf(tx: Tx, file: FileRow): Promise<Playback> {
  const proxy = (await proxiesOf(tx, [file.sha256])).get(file.sha256)
  const address = tx.ports.baseUrl + filePath(file)
  return { ...presentPlayback(file, proxy, address), audio: await audioOf(tx, proxy, address) }
}

export const getPlayback = query({
  name: 'getPlayback',
  summary: 'The copy of a video or audio file that browsers play, where they do not play the file itself',
  permission: 'projects.read',
  resource: onFile,
  output: Playback,
  async run(tx, { resource: { file } }) {
    assertShown(tx, file)
    return playbackOf(tx, file)
  },
})

export const makePlayback = command({
  name: 'makePlayback',
  summary: 'Have the copy that browsers play made, or made again where that failed',
  permission: 'files.review',
  resource: onFile,
  output: Playback,
  async run(tx, { resource: { file } }) {
    assertShown(tx, file)
    if (copyWanted(file.mediaType, file.media, file.size) === null)
      throw invalidState(`${quote(file.name)} needs no copy: browsers play it, or it is not played.`, 'not_needed', [
        'needed',
      ])
    const proxy = (await proxiesOf(tx, [file.sha256])).get(file.sha256)
    if (proxy?.status !== 'queued' && proxy?.status !== 'running') await queuePlayback(tx, file.id, { again: true })
    return playbackOf(tx, file)
  },
})

/** The copy of a file whose permission was asked. @throws `not_found` while there is none */
export async function readyCopy(
  tx: Pick<Tx, 'db'>,
  file: FileRow,
): Promise<ProxyRow & { copySha256: string; size: number }> {
  assertBytes(file)
  assertPreviews(file)
  const proxy = (await proxiesOf(tx, [file.sha256])).get(file.sha256)
  const { status, copySha256, size } = proxy ?? {}
  if (!proxy || status !== 'ready' || !copySha256 || !size)
    throw new DomainError('not_found', 'There is no playback copy of this file, or not yet.')
  return { ...proxy, copySha256, size }
}

/** A pair of channels of a file that has more than two. Returns no JSON: the route streams it. */
export const openPair = query({
  name: 'openPair',
  summary: 'Two channels of the audio of a file, whole or by range; 404 until they are there',
  permission: 'projects.read',
  resource: {
    params: [...onFile.params, 'number'] as const,
    async find(tx: Tx, { number, ...params }: Record<(typeof onFile.params)[number] | 'number', string>) {
      return { file: (await onFile.find(tx, params, false)).file, number }
    },
  },
  async run(tx, { resource: { file, number } }) {
    assertMayOpen(tx, file)
    assertBytes(file)
    assertPreviews(file)
    const proxy = (await proxiesOf(tx, [file.sha256])).get(file.sha256)
    const pair = proxy?.status === 'ready' && /^\d{1,2}$/.test(number) ? proxy.pairs?.[Number(number)] : undefined
    if (!proxy || !pair) throw new DomainError('not_found', 'There are no such channels of this file, or not yet.')
    return { file, key: pairKey(proxy.id, Number(number)), ...pair }
  },
})

export const PIECE_PLACE = ['pieces_id', 'number'] as const
export type PiecePlace = (typeof PIECE_PLACE)[number]

/** Where a piece of a copy lies that is being made, of a file whose permission was asked. @throws `not_found` */
export async function findPiece(
  tx: Pick<Tx, 'db'>,
  file: FileRow,
  place: Record<PiecePlace, string>,
): Promise<{ key: BlobKey }> {
  assertBytes(file)
  assertPreviews(file)
  const { piecesId, pieceStarts = [] } = (await proxiesOf(tx, [file.sha256])).get(file.sha256) ?? {}
  const number = /^\d{1,6}$/.test(place.number) ? Number(place.number) : -1
  if (!piecesId || piecesId !== place.pieces_id || !(number in pieceStarts))
    throw new DomainError('not_found', 'There is no such piece of a playback copy, or no more.')
  return { key: pieceKey(piecesId, number) }
}

/** A piece of it, for who may have the bytes of the file. Returns no JSON: the route streams it. */
export const openPiece = query({
  name: 'openPiece',
  summary: 'A piece of a playback copy that is being made; 404 once the copy is ready',
  permission: 'projects.read',
  resource: {
    params: [...onFile.params, ...PIECE_PLACE] as const,
    async find(tx: Tx, { pieces_id, number, ...params }: Record<(typeof onFile.params)[number] | PiecePlace, string>) {
      return { file: (await onFile.find(tx, params, false)).file, place: { pieces_id, number } }
    },
  },
  async run(tx, { resource: { file, place } }) {
    assertMayOpen(tx, file)
    return findPiece(tx, file, place)
  },
})

/** The bytes of the copy, for who may have those of the file. Returns no JSON: the route streams them. */
export const openPlayback = query({
  name: 'openPlayback',
  summary: 'The copy that browsers play, whole or by range; 404 until it is made',
  permission: 'projects.read',
  resource: onFile,
  async run(tx, { resource }) {
    assertMayOpen(tx, resource.file)
    return { file: resource.file, proxy: await readyCopy(tx, resource.file) }
  },
})
