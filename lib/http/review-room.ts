import { DomainError } from '@/lib/domain/kernel/errors'
import { readyCopy } from '@/lib/domain/playback/operations'
import { assertBytes } from '@/lib/domain/retention/rules'
import { downloadRoomFile, openRoomFile, openRoomPiece, unlockReviewLink } from '@/lib/domain/review-links/public'
import { openRoomTile } from '@/lib/domain/review-links/tiles'
import { bytesResponse, copyResponse, pagedImage, pieceResponse, tileResponse } from './downloads'
import { acting, type Exchange, executeFor, respond } from './endpoint'
import { withLinkCookie } from './link-cookies'
import { bodyOf, jsonOf, LINK_KEY_COOKIE } from './request'
import type { RouteResponse } from './response'

/** Bytes that the holder of a review link gets, and the key their browser keeps for the password. */

const DAY = 24 * 3600
const PATHS = ['/api/public/review-links', '/r']

export async function unlockRoom(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(unlockReviewLink, exchange)
  const input = jsonOf(exchange.request, await bodyOf(exchange.request))
  const { key } = await executeFor(unlockReviewLink, { ctx, params: exchange.params }, input)
  const cookie = { name: LINK_KEY_COOKIE, value: key, seconds: DAY }
  return withLinkCookie(exchange, PATHS, respond(200, { unlocked: true }), cookie)
}

export async function roomImage(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRoomFile, exchange)
  return pagedImage(exchange.request, ctx, await executeFor(openRoomFile, { ctx, params: exchange.params }))
}

/** What a player plays: video and audio, whole or by range. */
export async function roomMedia(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRoomFile, exchange)
  const file = await executeFor(openRoomFile, { ctx, params: exchange.params })
  if (file.kind !== 'video' && file.kind !== 'audio')
    throw new DomainError('not_found', 'Only video and audio are streamed here; this file has an image.')
  assertBytes(file)
  return bytesResponse(exchange.request, ctx, file, 'inline')
}

/** The copy that browsers play: asked for anew each time, as the right to it may end. */
export async function roomPlayback(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRoomFile, exchange)
  const file = await executeFor(openRoomFile, { ctx, params: exchange.params })
  return copyResponse(exchange.request, ctx, file, await readyCopy(ctx, file), 'private, no-cache')
}

/** A piece of a copy that is being made, under the same terms. */
export async function roomPiece(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRoomPiece, exchange)
  const piece = await executeFor(openRoomPiece, { ctx, params: exchange.params })
  return pieceResponse(ctx, piece, 'private, no-cache')
}

export async function roomDownload(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(downloadRoomFile, exchange)
  return bytesResponse(exchange.request, ctx, await executeFor(downloadRoomFile, { ctx, params: exchange.params }))
}

/** One tile: asked for anew each time, as the right to it may end; with the holder's name in it where the link says so. */
export async function roomTile(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openRoomTile, exchange)
  const { watermark, ...tile } = await executeFor(openRoomTile, { ctx, params: exchange.params })
  return tileResponse(exchange.request, ctx, tile, 'private, no-cache', watermark)
}
