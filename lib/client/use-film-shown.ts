'use client'

import { type RefObject, useEffect, useState } from 'react'

/** What a browser made of a film so far. */
type Progress = {
  hasFailed: boolean
  hasMetadata: boolean
  /** Pixels; 0 when the browser knows no picture in the file. */
  width: number
  /** Frames that came out of the decoder; null where the browser does not count them. */
  frames: number | null
  /** Seconds that were played. */
  played: number
}

/** Played so long without one frame, a film has no picture here. */
const SOUND_ALONE_SECONDS = 0.5

/**
 * Whether the browser shows the picture of a film. One whose coding it does not know (ProRes in most browsers) may run
 * all the same, with its sound and its clock alone. Null: not known yet.
 */
export function isFilmShown({ hasFailed, hasMetadata, width, frames, played }: Progress): boolean | null {
  if (hasFailed || (hasMetadata && width === 0)) return false
  if (frames === null) return hasMetadata ? true : null
  if (frames > 0) return true
  return played > SOUND_ALONE_SECONDS ? false : null
}

function progressOf(film: HTMLVideoElement): Progress {
  const { played } = film
  let seconds = 0
  for (let range = 0; range < played.length; range++) seconds += played.end(range) - played.start(range)
  return {
    hasFailed: film.error !== null,
    hasMetadata: film.readyState >= HTMLMediaElement.HAVE_METADATA,
    width: film.videoWidth,
    frames: film.getVideoPlaybackQuality?.().totalVideoFrames ?? null,
    played: seconds,
  }
}

const EVENTS = ['error', 'loadedmetadata', 'loadeddata', 'timeupdate', 'seeked', 'resize'] as const

/** `isFilmShown` of the player as it goes on; what was shown once stays shown. */
export function useFilmShown(media: RefObject<HTMLVideoElement | null>): boolean | null {
  const [isShown, setShown] = useState<boolean | null>(null)
  useEffect(() => {
    const film = media.current
    if (!film) return
    const look = () => {
      const now = isFilmShown(progressOf(film))
      if (now === false) film.pause()
      setShown((before) => (now === null || before === false ? before : now))
    }
    for (const event of EVENTS) film.addEventListener(event, look)
    // It may have come with the page, and told all of this before the page was awake.
    look()
    return () => {
      for (const event of EVENTS) film.removeEventListener(event, look)
    }
  }, [media])
  return isShown
}
