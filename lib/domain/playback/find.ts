import { eq, getTableColumns, inArray } from 'drizzle-orm'
import { playbackProxies } from '@/db/schema/playback'
import type { ContentCopy } from '../files/content-copies'
import type { FileRow } from '../files/present'
import type { BlobKey } from '../kernel/blob-store'
import type { Tx } from '../kernel/operation'
import { keysOfPieces } from './pieces'
import { needsPlaybackCopy } from './rules'
import type { Playback } from './schema'

const { peaks, loudness, ...columns } = getTableColumns(playbackProxies)

/** Without its curves, which are long, and asked for by themselves. */
export type ProxyRow = Omit<typeof playbackProxies.$inferSelect, 'peaks' | 'loudness'>

/** Where a copy lies: below its own id, as several files may hold the content it was made of. */
export const proxyKey = (id: string): BlobKey => `derived/${id}/playback.mp4`

/** Where a pair of channels of the original lies. */
export const pairKey = (id: string, number: number): BlobKey => `derived/${id}/pair-${number}.m4a`

export const PLAYBACK: ContentCopy = {
  table: playbackProxies,
  kinds: ['video', 'audio'],
  keyOf: proxyKey,
  otherKeysOf: ({ id, pairs, pieces_id, piece_starts }) => [
    ...keysOfPieces({ piecesId: pieces_id as string | null, pieceStarts: piece_starts as number[] }),
    ...keysOfPairs(id as string, (pairs as ProxyRow['pairs']) ?? []),
  ],
  task: 'make_playback',
  idField: 'proxy_id',
}

export const keysOfPairs = (id: string, pairs: readonly unknown[]) => pairs.map((_, number) => pairKey(id, number))

export async function proxiesOf(tx: Pick<Tx, 'db'>, hashes: readonly string[]): Promise<Map<string, ProxyRow>> {
  if (hashes.length === 0) return new Map()
  const rows = await tx.db
    .select(columns)
    .from(playbackProxies)
    .where(inArray(playbackProxies.sha256, [...hashes]))
  return new Map(rows.map((row) => [row.sha256, row]))
}

/** What is drawn and heard of the audio of a copy that is ready. @param address of the file in the interface */
export async function audioOf(
  tx: Pick<Tx, 'db'>,
  proxy: ProxyRow | undefined,
  address: string,
): Promise<Playback['audio']> {
  if (proxy?.status !== 'ready') return null
  const [curves] = await tx.db.select({ peaks, loudness }).from(playbackProxies).where(eq(playbackProxies.id, proxy.id))
  if (!curves?.peaks || !curves.loudness) return null
  return {
    peaks: curves.peaks.map((peak) => Math.round(peak * 1000) / 1000),
    loudness: curves.loudness.map((lufs) => Math.round(lufs * 10) / 10),
    pairs: (proxy.pairs ?? []).map(({ channels, sha256 }, number) => ({
      url: `${address}/playback/pairs/${number}?v=${sha256.slice(0, 16)}`,
      channels: [...channels],
    })),
  }
}

/** @param address of the file in the interface, which also serves the pieces of a copy that is being made */
export function presentPlayback(
  file: Pick<FileRow, 'mediaType' | 'media'>,
  proxy: ProxyRow | undefined,
  address: string,
): Playback {
  const isNeeded = needsPlaybackCopy(file.mediaType, file.media)
  const isReady = isNeeded && proxy?.status === 'ready' && proxy.copySha256 !== null
  return {
    is_needed: isNeeded,
    status: proxy?.status ?? null,
    progress: proxy?.status === 'ready' ? 100 : (proxy?.progress ?? 0),
    failure: proxy?.failure ?? null,
    // Another copy has another address, so that a browser may keep it.
    url: isReady ? `${address}/playback/media?v=${proxy.copySha256?.slice(0, 16)}` : null,
    copy: isReady
      ? {
          codec: proxy.codec ?? '',
          width: proxy.width,
          height: proxy.height,
          frame_rate: proxy.frameRate,
          duration_seconds: proxy.durationSeconds ?? 0,
          size: proxy.size ?? 0,
          has_audio: proxy.hasAudio ?? false,
          dynamic_range: proxy.dynamicRange ?? 'sdr',
          is_deinterlaced: proxy.isDeinterlaced ?? false,
        }
      : null,
    pieces: proxy ? presentPieces(proxy, address) : null,
    audio: null,
  }
}

/** While a copy is made: what of it can be played. */
function presentPieces(proxy: ProxyRow, address: string): Playback['pieces'] {
  const { status, piecesId, pieceStarts, piecesEnd, piecesWhole } = proxy
  if ((status !== 'queued' && status !== 'running') || !piecesId || piecesEnd === null || piecesWhole === null)
    return null
  return {
    url: `${address}/playback/pieces/${piecesId}`,
    starts: pieceStarts,
    end: piecesEnd,
    duration_seconds: piecesWhole,
  }
}
