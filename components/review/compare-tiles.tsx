'use client'

import { lazy, type RefObject, Suspense, useRef } from 'react'
import { seenSize } from '@/components/files/seen-size'
import type { Viewport } from '@/components/media/tile-layout'
import { useSizeOf } from '@/components/media/use-size-of'
import { useTiles } from '@/components/media/use-tiles'
import { useImage } from '@/lib/client/image-cache'
import type { File } from '@/lib/domain/files/schema'
import type { ImageTiles } from '@/lib/domain/tiles/schema'
import { placeInPane } from './compare-place'
import { imageOf } from './room-file'
import type { SharedView } from './use-shared-zoom'

const DeepZoom = lazy(() => import('@/components/media/deep-zoom').then((module) => ({ default: module.DeepZoom })))

/** Every pixel of a large image that is compared, over its preview once it is zoomed; nothing for all others. */
export function CompareTiles({ of, fit, view }: { of: File; fit: number; view: SharedView }) {
  const pane = useRef<HTMLDivElement>(null)
  const area = useSizeOf(pane)
  const { tiles } = useTiles(of, view !== null, false)
  const { image } = useImage(tiles && view ? imageOf(of) : null)
  const size = seenSize(of)
  return (
    <div ref={pane} className="pointer-events-none absolute inset-0 overflow-hidden">
      {tiles && view && area && fit > 0 && (
        <PlacedTiles
          of={of}
          tiles={tiles}
          viewport={placeInPane(size, size, { fit, area, view })}
          pane={pane}
          preview={image?.image ?? null}
        />
      )}
    </div>
  )
}

/** The tiles of a file, at their place in a pane. */
export function PlacedTiles({
  of,
  tiles,
  viewport,
  pane,
  preview,
}: {
  of: File
  tiles: NonNullable<ImageTiles['tiles']>
  viewport: Viewport
  pane: RefObject<HTMLElement | null>
  preview: HTMLImageElement | null
}) {
  return (
    <div className="absolute top-0 left-0 overflow-hidden" style={placedStyle(seenSize(of), viewport)}>
      <Suspense>
        <DeepZoom
          tiles={tiles}
          viewport={viewport}
          frame={pane}
          preview={preview}
          fileId={of.id}
          label={`Version ${of.version} of ${of.name}, every pixel`}
          filter={undefined}
        />
      </Suspense>
    </div>
  )
}

/** By a transform, as the places of CSS are rounded. */
export const placedStyle = (size: { width: number; height: number }, { scale, x, y }: Viewport) => ({
  width: size.width * scale,
  height: size.height * scale,
  transform: `translate(${x}px, ${y}px)`,
})
