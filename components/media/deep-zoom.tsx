'use client'

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { ImageTiles } from '@/lib/domain/tiles/schema'
import { TileCache } from './tile-cache'
import { type Placed, tilesInSight, type Viewport } from './tile-layout'
import { useSizeOf } from './use-size-of'

/** From here on a pixel of the image is a square. */
const SQUARES_FROM = 2

/**
 * The part of a large image that is in sight, of tiles: at 100 % each pixel of the image is one of the screen. It stands
 * in the box of the image, which stands in `frame`. Until a tile is there, its place in `preview` is seen.
 */
export function DeepZoom({
  tiles,
  viewport,
  frame,
  preview,
  fileId,
  label,
  filter,
}: {
  tiles: NonNullable<ImageTiles['tiles']>
  viewport: Viewport
  frame: RefObject<HTMLElement | null>
  preview: HTMLImageElement | null
  fileId: string
  label: string
  filter: string | undefined
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSizeOf(frame)
  const { cache, version } = useTileCache(tiles.url)
  const ratio = globalThis.devicePixelRatio || 1
  const { pathname } = new URL(tiles.url)
  const [isComplete, setComplete] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` says that a tile came
  useLayoutEffect(() => {
    const pen = canvas.current?.getContext('2d')
    if (!pen || !size) return
    const placed = tilesInSight(tiles, viewport, size, ratio)
    const address = ({ level, column, row }: Placed) => `${pathname}/${level}/${column}/${row}`
    cache.want(placed.map(address))
    pen.clearRect(0, 0, pen.canvas.width, pen.canvas.height)
    pen.imageSmoothingEnabled = viewport.scale * ratio < SQUARES_FROM
    pen.imageSmoothingQuality = 'high'
    let missing = 0
    for (const tile of placed) {
      const image = cache.ready(address(tile))
      const { left, top, right, bottom } = tile
      if (image) pen.drawImage(image, left, top, right - left, bottom - top)
      else {
        missing += 1
        if (preview) drawPart(pen, preview, tile, { viewport, ratio, of: tiles })
      }
    }
    setComplete(missing === 0)
  }, [cache, version, tiles, viewport, size, ratio, pathname, preview])

  if (!size) return null
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        data-image-of={fileId}
        data-complete={isComplete}
        width={Math.round(size.width * ratio)}
        height={Math.round(size.height * ratio)}
        className="absolute top-0 left-0 max-w-none [image-rendering:pixelated]"
        style={{
          // By a transform, as the box is: places of CSS are rounded, and pixels would be mixed.
          transform: `translate(${-viewport.x}px, ${-viewport.y}px)`,
          width: Math.round(size.width * ratio) / ratio,
          height: Math.round(size.height * ratio) / ratio,
          filter,
        }}
      />
      {cache.hasFailed && (
        <p
          role="alert"
          className="absolute flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink-muted"
          style={{ left: 12 - viewport.x, top: 12 - viewport.y }}
        >
          A part of the image could not be loaded.
          {/* The stage takes what is pressed for itself. */}
          <Button size="sm" onPointerDown={(event) => event.stopPropagation()} onClick={() => cache.retry()}>
            Try again
          </Button>
        </p>
      )}
    </>
  )
}

/** The place of a tile in the preview of the whole image. */
function drawPart(
  pen: CanvasRenderingContext2D,
  preview: HTMLImageElement,
  { left, top, right, bottom }: Placed,
  { viewport, ratio, of }: { viewport: Viewport; ratio: number; of: { width: number; height: number } },
) {
  /** Pixels of the preview per pixel of the screen. */
  const across = preview.naturalWidth / (of.width * viewport.scale * ratio)
  const down = preview.naturalHeight / (of.height * viewport.scale * ratio)
  pen.drawImage(
    preview,
    (left - viewport.x * ratio) * across,
    (top - viewport.y * ratio) * down,
    (right - left) * across,
    (bottom - top) * down,
    left,
    top,
    right - left,
    bottom - top,
  )
}

/** The tiles of an image; `version` is another one when one came. */
function useTileCache(url: string) {
  const [version, setVersion] = useState(0)
  const held = useRef<{ url: string; cache: TileCache } | null>(null)
  if (held.current?.url !== url) {
    held.current?.cache.clear()
    held.current = { url, cache: new TileCache(() => setVersion((before) => before + 1)) }
  }
  const { cache } = held.current
  useEffect(() => () => cache.clear(), [cache])
  return { cache, version }
}
