'use client'

import { type MouseEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { ZoomControls } from '@/components/review/stage-tools'
import { useZoom } from '@/components/review/use-zoom'
import { cn } from '@/components/ui/cn'
import { useImage } from '@/lib/client/image-cache'
import { DeepZoom } from './deep-zoom'
import { TilesNote } from './tiles-note'
import { useGuestTiles } from './use-guest-tiles'

/** A large image that a link shows, zoomed to its pixels and moved. */
export function ZoomedImage({
  id,
  name,
  size,
  preview,
  tilesPath,
  children,
}: {
  id: string
  name: string
  /** Pixels, as seen. */
  size: { width: number; height: number }
  /** Path of the image that is shown until its pixels are there. */
  preview: string
  tilesPath: string
  /** What lies over the preview, which has no name in its pixels. */
  children?: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const tiled = useGuestTiles(tilesPath)
  const { image } = useImage(preview)
  const { tiles } = tiled
  const { width, height } = tiles ?? size
  const zoom = useZoom(frame, box, { width, height })
  const { view: viewport, pan } = zoom
  const handlers = {
    onPointerDown: pan.onPointerDown,
    onPointerMove: pan.onPointerMove,
    onPointerUp: (event: PointerEvent) => pan.onPointerUp(event),
    onPointerCancel: (event: PointerEvent) => pan.onPointerUp(event),
    onDoubleClick(event: MouseEvent<HTMLDivElement>) {
      const { left, top } = event.currentTarget.getBoundingClientRect()
      zoom.toggle({ x: event.clientX - left, y: event.clientY - top })
    },
  }
  const isTiled = tiles !== null && viewport !== null
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-2 py-1 [&>[role=group]]:ml-0 [&>[role=group]]:border-l-0 [&>[role=group]]:pl-0">
        <ZoomControls zoom={zoom} />
        <TilesNote tiled={tiled}>{null}</TilesNote>
      </div>
      {/* Fingers and pointers are one way; zoom has buttons. */}
      <div
        ref={frame}
        data-base-ui-swipe-ignore=""
        className={cn(
          'relative h-[68dvh] touch-none overflow-hidden bg-media select-none [container-type:size]',
          viewport && 'cursor-grab active:cursor-grabbing',
        )}
        {...handlers}
      >
        <div className={cn('absolute', !viewport && 'inset-0 grid place-items-center')}>
          <div
            ref={box}
            className="relative overflow-hidden"
            style={
              viewport
                ? {
                    width: width * viewport.scale,
                    height: height * viewport.scale,
                    transformOrigin: '0 0',
                    transform: `translate(${viewport.x}px, ${viewport.y}px)`,
                  }
                : {
                    width: `min(100cqw - 1rem, (100cqh - 1rem) * ${width / height}, ${width}px)`,
                    aspectRatio: `${width} / ${height}`,
                  }
            }
          >
            {isTiled ? (
              <DeepZoom
                tiles={tiles}
                viewport={viewport}
                frame={frame}
                preview={image?.image ?? null}
                fileId={id}
                label={name}
                filter={undefined}
              />
            ) : (
              <>
                {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
                <img src={preview} alt={name} draggable={false} className="absolute inset-0 size-full" />
                {children}
              </>
            )}
          </div>
        </div>
      </div>
    </div>
  )
}
