'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { RemovedNotice } from '@/components/files/removed-notice'
import { Thumbnail } from '@/components/files/thumbnail'
import { usePlayback } from '@/components/files/use-playback'
import { cn } from '@/components/ui/cn'
import { useImage } from '@/lib/client/image-cache'
import { useVideoShown } from '@/lib/client/use-video-shown'
import type { File } from '@/lib/domain/files/schema'
import { imageOf, isGone, originalOf } from './room-file'
import { NotLoaded } from './stage-image'

/** The sharper of the images of a file, so that it is compared by its pixels where that is possible. */
const sharpest = (file: File, page: number) =>
  (page === 1 && file.size < 20_000_000 ? originalOf(file) : null) ??
  imageOf(file, Math.min(page, file.preview_pages || 1))

/** One of the videos that run together; says when the browser shows no image of it. */
function Video({
  of,
  players,
  whenNotShown,
  className,
}: {
  of: File
  players: RefObject<Map<string, HTMLVideoElement>>
  whenNotShown: (id: string) => void
  className?: string | undefined
}) {
  const player = useRef<HTMLVideoElement>(null)
  const isShown = useVideoShown(player)
  const { source, isLoading } = usePlayback(of)
  const isWithout = isShown === false || (source === null && !isLoading)
  const say = useRef(whenNotShown)
  say.current = whenNotShown
  useEffect(() => {
    if (isWithout) say.current(of.id)
  }, [isWithout, of.id])
  useEffect(() => {
    const all = players.current
    if (player.current) all.set(of.id, player.current)
    return () => void all.delete(of.id)
  }, [players, of.id])
  return (
    <video
      ref={player}
      src={source ?? undefined}
      aria-label={`Version ${of.version} of ${of.name}`}
      muted
      playsInline
      preload="auto"
      className={cn('absolute inset-0 size-full object-contain', className)}
    />
  )
}

/** One of the files that are compared, as large as the box around it. */
export function CompareLayer({
  of,
  page,
  isPlayed,
  isSharp = false,
  players,
  whenNotShown,
  className,
}: {
  of: File
  /** Of documents; a file that has fewer shows its last. */
  page: number
  /** As a video, not as an image of it. */
  isPlayed: boolean
  /** Pixels are squares. */
  isSharp?: boolean
  players: RefObject<Map<string, HTMLVideoElement>>
  whenNotShown: (id: string) => void
  className?: string
}) {
  const { image, hasFailed, retry } = useImage(isPlayed || isGone(of) ? null : sharpest(of, page))
  if (isGone(of)) return <RemovedNotice file={of} />
  if (isPlayed) return <Video of={of} players={players} whenNotShown={whenNotShown} className={className} />
  if (hasFailed) return <NotLoaded retry={retry} />
  if (!image) return <Thumbnail file={of} className="absolute inset-0 size-full border-0" />
  return (
    // biome-ignore lint/performance/noImgElement: decoded beforehand
    <img
      src={image.url}
      alt={`Version ${of.version} of ${of.name}`}
      draggable={false}
      className={cn('absolute inset-0 size-full object-contain', isSharp && '[image-rendering:pixelated]', className)}
    />
  )
}
