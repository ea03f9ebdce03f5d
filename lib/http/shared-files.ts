import { DomainError } from '@/lib/domain/kernel/errors'
import { readyCopy } from '@/lib/domain/playback/operations'
import { assertBytes } from '@/lib/domain/retention/rules'
import { downloadSharedFile, openSharedFile, resumeSharedFile, unlockShareLink } from '@/lib/domain/share-links/public'
import { openSharedTile } from '@/lib/domain/share-links/tiles'
import { bytesResponse, copyResponse, isBegun, pagedImage, smallImage, tileResponse } from './downloads'
import { acting, type Exchange, executeFor, respond } from './endpoint'
import { withLinkCookie } from './link-cookies'
import { bodyOf, jsonOf, LINK_KEY_COOKIE } from './request'
import type { RouteResponse } from './response'

/** Bytes that the receiver of a share link gets, and the key their browser keeps for the password. */

const DAY = 24 * 3600
const PATHS = ['/api/public/share-links', '/d']

export async function unlockShare(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(unlockShareLink, exchange)
  const input = jsonOf(exchange.request, await bodyOf(exchange.request))
  const { key } = await executeFor(unlockShareLink, { ctx, params: exchange.params }, input)
  const cookie = { name: LINK_KEY_COOKIE, value: key, seconds: DAY }
  return withLinkCookie(exchange, PATHS, respond(200, { unlocked: true }), cookie)
}

async function opened(exchange: Exchange) {
  const ctx = await acting(openSharedFile, exchange)
  return { ctx, file: await executeFor(openSharedFile, { ctx, params: exchange.params }) }
}

export async function sharedThumbnail(exchange: Exchange): Promise<RouteResponse> {
  const { ctx, file } = await opened(exchange)
  return smallImage(exchange.request, ctx, file)
}

export async function sharedImage(exchange: Exchange): Promise<RouteResponse> {
  const { ctx, file } = await opened(exchange)
  return pagedImage(exchange.request, ctx, file)
}

/** What a player plays: video and audio, whole or by range. */
export async function sharedMedia(exchange: Exchange): Promise<RouteResponse> {
  const { ctx, file } = await opened(exchange)
  if (file.kind !== 'video' && file.kind !== 'audio')
    throw new DomainError('not_found', 'Only video and audio are streamed here; this file has an image.')
  assertBytes(file)
  return bytesResponse(exchange.request, ctx, file, 'inline')
}

/** The copy that browsers play: asked for anew each time, as the right to it may end. */
export async function sharedPlayback(exchange: Exchange): Promise<RouteResponse> {
  const { ctx, file } = await opened(exchange)
  return copyResponse(exchange.request, ctx, file, await readyCopy(ctx, file), 'private, no-cache')
}

/** The file to keep. It is counted where it begins, not where a download that broke off goes on. */
export async function sharedDownload(exchange: Exchange): Promise<RouteResponse> {
  const { request, params } = exchange
  const ctx = await acting(downloadSharedFile, exchange)
  const operation = isBegun(request) ? downloadSharedFile : resumeSharedFile
  return bytesResponse(request, ctx, await executeFor(operation, { ctx, params }))
}

/** One tile: asked for anew each time, as the right to it may end. */
export async function sharedTile(exchange: Exchange): Promise<RouteResponse> {
  const ctx = await acting(openSharedTile, exchange)
  const tile = await executeFor(openSharedTile, { ctx, params: exchange.params })
  return tileResponse(exchange.request, ctx, tile, 'private, no-cache')
}
