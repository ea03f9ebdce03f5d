'use client'

import { type RefObject, useEffect, useState } from 'react'

/** What a browser made of a video so far. */
type Progress = {
  hasFailed: boolean
  hasMetadata: boolean
  /** Pixels; 0 when the browser knows no image in the file. */
  width: number
  /** Frames that came out of the decoder; null where the browser does not count them. */
  frames: number | null
  /** Seconds that were played. */
  played: number
}

/** Played so long without one frame, a video has no image here. */
const AUDIO_ALONE_SECONDS = 0.5

/**
 * Whether the browser shows the image of a video. One whose coding it does not know (ProRes in most browsers) may run
 * all the same, with its audio and its clock alone. Null: not known yet.
 */
export function isVideoShown({ hasFailed, hasMetadata, width, frames, played }: Progress): boolean | null {
  if (hasFailed || (hasMetadata && width === 0)) return false
  if (frames === null) return hasMetadata ? true : null
  if (frames > 0) return true
  return played > AUDIO_ALONE_SECONDS ? false : null
}

function progressOf(video: HTMLVideoElement): Progress {
  const { played } = video
  let seconds = 0
  for (let range = 0; range < played.length; range++) seconds += played.end(range) - played.start(range)
  return {
    hasFailed: video.error !== null,
    hasMetadata: video.readyState >= HTMLMediaElement.HAVE_METADATA,
    width: video.videoWidth,
    frames: video.getVideoPlaybackQuality?.().totalVideoFrames ?? null,
    played: seconds,
  }
}

const EVENTS = ['error', 'loadedmetadata', 'loadeddata', 'timeupdate', 'seeked', 'resize'] as const

/** `isVideoShown` of the player as it goes on; what was shown once stays shown. */
export function useVideoShown(media: RefObject<HTMLVideoElement | null>): boolean | null {
  const [isShown, setShown] = useState<boolean | null>(null)
  useEffect(() => {
    const video = media.current
    if (!video) return
    const inspect = () => {
      const now = isVideoShown(progressOf(video))
      if (now === false) video.pause()
      setShown((before) => (now === null || before === false ? before : now))
    }
    for (const event of EVENTS) video.addEventListener(event, inspect)
    // It may have come with the page, and reported all of this before the page was awake.
    inspect()
    return () => {
      for (const event of EVENTS) video.removeEventListener(event, inspect)
    }
  }, [media])
  return isShown
}
