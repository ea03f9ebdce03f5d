import { ownPath } from '@/lib/client/own-path'
import type { Playback } from '@/lib/domain/playback/schema'

/**
 * The path of what a guest's player plays: the file, or the copy that was made where browsers do not play that. Null: there
 * is none, or not yet.
 */
export function playedSource({ media_url, playback }: { media_url: string | null; playback: Playback | null }) {
  const url = playback?.is_needed ? playback.url : media_url
  return url && ownPath(url)
}
