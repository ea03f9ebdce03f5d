'use client'

import { useRef } from 'react'
import { DrawnShapes } from '@/components/drawing/drawn-shapes'
import type { Place } from '@/components/drawing/place-box'
import { PlaceMark } from '@/components/drawing/place-mark'
import { timecode } from '@/components/pre-qc/occurrences'
import { ownPath } from '@/lib/client/own-path'
import { useVideoShown } from '@/lib/client/use-video-shown'
import type { RejectedFile } from '@/lib/domain/upload-links/schema'

type Placed = { number: number; anchor: Place; shapes: RejectedFile['marks'][number]['shapes'] }
/** The marks of one page, of one time, or of the only image there is. */
type MarkedImage = { key: string; page: number; time: number | null; marks: Placed[] }

/** One image for each place in a file that has marks: page by page, time by time. */
function markedImagesOf(file: RejectedFile): MarkedImage[] {
  const images = new Map<string, MarkedImage>()
  for (const [index, { anchor, shapes }] of file.marks.entries()) {
    if (anchor?.kind !== 'point' && anchor?.kind !== 'region') continue
    const { page = 1, time = null } = anchor
    if (page > file.picture_pages || (time !== null && !file.media_url)) continue
    const key = `${page} ${time}`
    const image = images.get(key) ?? { key, page, time, marks: [] }
    image.marks.push({ number: index + 1, anchor, shapes })
    images.set(key, image)
  }
  return [...images.values()].sort((a, b) => a.page - b.page || (a.time ?? 0) - (b.time ?? 0))
}

/** What the review marked, drawn on the version that was rejected. */
export function MarkedImages({ file }: { file: RejectedFile }) {
  const images = markedImagesOf(file)
  if (images.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      {images.map((image) => (
        <figure key={image.key} className="flex flex-col gap-1">
          <div className="grid place-items-center rounded-lg bg-media p-4">
            <div className="relative">
              <Frame file={file} page={image.page} time={image.time} />
              {image.marks.map((mark) => (
                <MarkHere key={mark.number} {...mark} />
              ))}
            </div>
          </div>
          {(file.picture_pages > 1 || image.time !== null) && (
            <figcaption className="text-xs text-ink-subtle">
              {image.time === null ? `Page ${image.page}` : `At ${timecode(image.time)}`}
            </figcaption>
          )}
        </figure>
      ))}
    </div>
  )
}

function Frame({ file, page, time }: { file: RejectedFile; page: number; time: number | null }) {
  const source = file.picture_url && ownPath(file.picture_url)
  const label = `Version ${file.version} of ${file.name}, which was rejected`
  if (time !== null && file.media_url)
    return <MarkedFrame label={label} time={time} source={file.media_url} poster={source} />
  return source ? (
    // biome-ignore lint/performance/noImgElement: the worker made it in the right size already
    <img src={page > 1 ? `${source}?page=${page}` : source} alt={label} className="block max-h-80 max-w-full" />
  ) : null
}

/** A frame of the video: it does not play, so it has no captions. */
function MarkedFrame(of: { label: string; time: number; source: string; poster: string | null }) {
  const video = useRef<HTMLVideoElement>(null)
  const isShown = useVideoShown(video)
  if (isShown === false) {
    return (
      <>
        {of.poster && (
          // biome-ignore lint/performance/noImgElement: the worker made it in the right size already
          <img src={of.poster} alt={`Preview: ${of.label}`} className="block max-h-80 max-w-full" />
        )}
        <p className="absolute inset-x-0 bottom-0 bg-surface/95 px-3 py-2 text-sm text-ink">
          This browser cannot show the video: this is its preview, not that frame. View {timecode(of.time)} in your own
          copy.
        </p>
      </>
    )
  }
  return (
    <video
      ref={video}
      src={`${ownPath(of.source)}#t=${of.time}`}
      poster={of.poster ?? undefined}
      preload="metadata"
      muted
      playsInline
      tabIndex={-1}
      aria-label={`${of.label}, at ${timecode(of.time)}`}
      // Safari shows the poster until it is set to a time.
      onLoadedMetadata={(event) => {
        event.currentTarget.currentTime = of.time
      }}
      className="block max-h-80 max-w-full"
    />
  )
}

function MarkHere({ number, anchor, shapes }: Placed) {
  return (
    <>
      <DrawnShapes shapes={shapes} />
      <PlaceMark place={anchor} isDrawn={shapes.length > 0} label={number} />
    </>
  )
}
