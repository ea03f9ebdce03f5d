'use client'

import { type CSSProperties, type ReactNode, type RefObject, useRef } from 'react'
import { seenSize } from '@/components/files/seen-size'
import type { Viewport } from '@/components/media/tile-layout'
import { TilesNote } from '@/components/media/tiles-note'
import { useSizeOf } from '@/components/media/use-size-of'
import { type Tiled, useTiles } from '@/components/media/use-tiles'
import { cn } from '@/components/ui/cn'
import { useImage } from '@/lib/client/image-cache'
import type { File } from '@/lib/domain/files/schema'
import { CompareBox } from './compare-box'
import { placeInPane } from './compare-place'
import { PlacedTiles, placedStyle } from './compare-tiles'
import { imageOf, isGone, originalOf } from './room-file'
import type { SharedView } from './use-shared-zoom'

/** From here on a pixel of the image is a square. */
const SQUARES_FROM = 2

/**
 * Two files one over the other, with a slider or only where they differ. Zoomed, images are drawn by their pixels, not by
 * their previews, so that a single pixel that differs is seen.
 *
 * @param split per cent of `file` that the slider shows
 * @param layer one of the files as large as the box around it, by its preview
 * @param children what lies over both, in the box of `file`
 */
export function CompareOver({
  file,
  other,
  isDifference,
  split,
  view,
  widest,
  layer,
  children,
}: {
  file: File
  other: File
  isDifference: boolean
  split: number
  view: SharedView
  widest: number
  layer: (of: File, className?: string) => ReactNode
  children: ReactNode
}) {
  const pane = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLDivElement>(null)
  const area = useSizeOf(pane)
  const fit = useSizeOf(inner)?.width ?? 0
  const areImages = [file, other].every((each) => each.media.kind === 'image' && !isGone(each))
  const isZoomed = areImages && view !== null
  const [above, below] = [usePixels(file, isZoomed), usePixels(other, isZoomed)]
  const isByPixels = isZoomed && area !== null && fit > 0 && above.isThere && below.isThere
  const size = seenSize(file)
  const own = isByPixels ? placeInPane(size, size, { fit, area, view }) : null
  return (
    <div
      ref={pane}
      data-pane
      className="relative grid min-h-0 min-w-0 flex-1 place-items-center overflow-hidden bg-media [container-type:size]"
    >
      {isByPixels && own && (
        <div
          className={cn(
            'pointer-events-none absolute inset-0 isolate overflow-hidden',
            isDifference && '[filter:brightness(3)]',
          )}
        >
          {isDifference && <div className="absolute top-0 left-0 bg-black" style={placedStyle(size, own)} />}
          <Pixels
            of={other}
            pixels={below}
            viewport={placeInPane(seenSize(other), size, { fit, area, view })}
            pane={pane}
          />
          {isDifference ? (
            // As large as the pane, so that what is blended is drawn at whole pixels.
            <div className="absolute inset-0 mix-blend-difference">
              <Pixels of={file} pixels={above} viewport={own} pane={pane} />
            </div>
          ) : (
            <div
              className="absolute inset-0"
              style={{ clipPath: `inset(0 0 0 ${own.x + size.width * own.scale * (1 - split / 100)}px)` }}
            >
              <Pixels of={file} pixels={above} viewport={own} pane={pane} />
            </div>
          )}
        </div>
      )}
      <CompareBox of={file} widest={widest} view={view}>
        <div
          ref={inner}
          className={cn(
            'absolute inset-0 isolate',
            isDifference && 'bg-black [filter:brightness(3)]',
            isByPixels && 'invisible',
          )}
        >
          {layer(other)}
          {isDifference ? (
            layer(file, 'mix-blend-difference')
          ) : (
            <div className="absolute inset-0" style={{ clipPath: `inset(0 0 0 ${100 - split}%)` }}>
              {layer(file)}
            </div>
          )}
        </div>
        {!isDifference && <Handle split={split} zoom={view?.zoom ?? 1} />}
        {children}
      </CompareBox>
      <div className="absolute right-2 bottom-2 left-2 flex flex-col items-end gap-1">
        {[above, below].map(
          ({ id, note }) =>
            note && (
              <div key={id} className="flex rounded-md border border-line bg-raised px-2 py-1">
                <TilesNote tiled={note}>{null}</TilesNote>
              </div>
            ),
        )}
      </div>
    </div>
  )
}

/** The line between both, as thin at any zoom. */
const Handle = ({ split, zoom }: { split: number; zoom: number }) => (
  <span
    aria-hidden="true"
    className="absolute inset-y-0 w-0.5 bg-white [box-shadow:0_0_0_1px_rgb(0_0_0/0.5)]"
    style={{ left: `${100 - split}%`, transform: `translateX(-50%) scaleX(${1 / zoom})` }}
  />
)

type Seen = ReturnType<typeof usePixels>

/** The pixels of an image: its tiles, the file itself where a browser draws it, or else its preview. */
function usePixels(of: File, isWanted: boolean) {
  const tiled = useTiles(of, isWanted, false)
  const original = !tiled.tiles && tiled.needsOriginal ? originalOf(of) : null
  const { image } = useImage(isWanted ? (original ?? imageOf(of)) : null)
  return {
    id: of.id,
    tiles: tiled.tiles,
    image: image?.image ?? null,
    url: image?.url ?? null,
    isThere: tiled.tiles !== null || image !== null,
    /** Where not every pixel is seen, or not yet. */
    note: isWanted && noteworthy(tiled, original !== null) ? tiled : null,
  }
}

const noteworthy = ({ isBeingMade, failure }: Tiled, hasOriginal: boolean) =>
  !hasOriginal && (isBeingMade || failure !== null)

function Pixels({
  of,
  pixels: { tiles, image, url },
  viewport,
  pane,
}: {
  of: File
  pixels: Seen
  viewport: Viewport
  pane: RefObject<HTMLElement | null>
}) {
  if (tiles) return <PlacedTiles of={of} tiles={tiles} viewport={viewport} pane={pane} preview={image} />
  const style: CSSProperties = placedStyle(seenSize(of), viewport)
  return (
    // biome-ignore lint/performance/noImgElement: decoded beforehand
    <img
      src={url ?? undefined}
      alt={`Version ${of.version} of ${of.name}`}
      draggable={false}
      className={cn(
        'absolute top-0 left-0 max-w-none object-contain',
        viewport.scale >= SQUARES_FROM && '[image-rendering:pixelated]',
      )}
      style={style}
    />
  )
}
