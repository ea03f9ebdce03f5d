'use client'

import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { GrowingMedia, Pieces } from '@/lib/client/growing-media'
import { canPlayPieces } from '@/lib/client/media-source'

const never = () => () => undefined
const no = () => false

/** Whether this browser plays the pieces of a copy; not known while a page is made on the server. */
export const useCanPlayPieces = () => useSyncExternalStore(never, canPlayPieces, no)

/**
 * What a `video` element plays of a file whose copy may still be made: its pieces, and the copy from the same place on once
 * that is complete. The element stays the same, so that a browser lets it go on playing.
 *
 * @param source the copy, or the file itself; null while there are pieces only
 * @param onFailed hears that a piece could not be had: the copy may be complete by now
 * @returns what the element is given as `src`
 */
export function useGrowing(
  media: RefObject<HTMLVideoElement | null>,
  source: string | null,
  pieces: Pieces | null,
  onFailed: () => void,
): string | undefined {
  const [hasGrown] = useState(source === null)
  const growing = useRef<GrowingMedia | null>(null)
  const latest = useRef({ pieces, onFailed })
  latest.current = { pieces, onFailed }
  const url = source === null ? pieces?.url : undefined
  useEffect(() => {
    if (!url) return
    let isOver = false
    void import('@/lib/client/growing-media').then(({ GrowingMedia }) => {
      const { pieces } = latest.current
      if (isOver || !media.current || pieces?.url !== url) return
      growing.current = new GrowingMedia(media.current, pieces, () => latest.current.onFailed())
    })
    return () => {
      isOver = true
      growing.current?.close()
      growing.current = null
    }
  }, [url, media])
  useEffect(() => {
    if (pieces) growing.current?.update(pieces)
  }, [pieces])
  useEffect(() => {
    const video = media.current
    if (hasGrown && source !== null && video && video.getAttribute('src') !== source) takeOver(video, source)
  }, [hasGrown, source, media])
  return hasGrown ? undefined : (source ?? undefined)
}

/** Another source for what is playing, from the same place on. */
function takeOver(media: HTMLVideoElement, source: string): void {
  const { currentTime, paused, playbackRate } = media
  media.addEventListener(
    'loadedmetadata',
    () => {
      media.currentTime = currentTime
      media.playbackRate = playbackRate
      if (!paused) void media.play().catch(() => undefined)
    },
    { once: true },
  )
  media.src = source
}
