'use client'

import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ownPath, Thumbnail } from '@/components/files/thumbnail'
import { Highlight } from '@/components/pre-qc/evidence-marks'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/spinner'
import { useImage } from '@/lib/client/image-cache'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { File } from '@/lib/domain/files/schema'
import { copyColour, Loupe } from './loupe'
import { Marks } from './marks'
import { type BoxName, placeBoxes } from './page-boxes'
import { imageOf, originalOf, seenSize } from './room-file'
import { PageControls, ToolButtons, ZoomControls } from './stage-tools'
import type { View } from './use-view'
import { useZoom } from './use-zoom'

/** Shorter drags are clicks. */
const REGION_LEAST = 0.008

const BOX_STYLES: Record<BoxName, string> = {
  trim: 'outline-[#15803d] text-[#15803d]',
  bleed: 'outline-[#b91c1c] text-[#b91c1c]',
  art: 'outline-[#1d4ed8] text-[#1d4ed8]',
  media: 'outline-[#4b5563] text-[#4b5563]',
  crop: 'outline-[#4b5563] text-[#4b5563]',
}

/** An image, or a page of a document: zoomed to its pixels, moved, measured by eye, commented on. */
export function ImageStage({ file, view, mayComment }: { file: File; view: View; mayComment: boolean }) {
  const isDocument = file.media.kind === 'document'
  const sizes = Array.isArray(file.media.page_sizes) ? file.media.page_sizes : []
  const facts = isDocument ? sizes[view.page - 1] : null
  const size = isDocument
    ? { width: (Number(facts?.width_mm) || 210) * 8, height: (Number(facts?.height_mm) || 297) * 8 }
    : seenSize(file)
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const zoom = useZoom(frame, box, size)
  const [wantsPixels, setWantsPixels] = useState(false)
  const [showsBoxes, setShowsBoxes] = useState(true)
  const original = originalOf(file)
  const first = imageOf(file, view.page)
  const isClose = zoom.view !== null || view.tool === 'loupe' || wantsPixels
  const { image: base, hasFailed, retry } = useImage(first)
  const { image: sharp } = useImage(isClose && original && original !== first ? original : null)
  const image = sharp ?? base
  const [pointer, setPointer] = useState<{ x: number; y: number; at: { x: number; y: number } } | null>(null)
  const [colour, setColour] = useState<string | null>(null)
  const drag = useRef<{ x: number; y: number } | null>(null)
  const { view: viewport } = zoom

  useEffect(() => {
    if (zoom.view) setWantsPixels(true)
  }, [zoom.view])
  useShortcuts([
    { keys: '0', label: 'Whole image', group: 'Viewing', run: zoom.whole },
    { keys: '1', label: 'Pixel for pixel', group: 'Viewing', run: zoom.actual },
    { keys: '+', label: 'Zoom in', group: 'Viewing', run: zoom.zoomIn },
    { keys: '-', label: 'Zoom out', group: 'Viewing', run: zoom.zoomOut },
  ])

  const at = (event: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect()
    if (!rect) return { x: 0, y: 0 }
    const clamp = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
    return { x: clamp((event.clientX - rect.left) / rect.width), y: clamp((event.clientY - rect.top) / rect.height) }
  }
  const onPage = isDocument ? { page: view.page } : {}
  const isMark = (event: PointerEvent) => (event.target as Element).closest('[data-mark]') !== null

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (isMark(event)) return
    if (view.tool === 'move') return zoom.pan.onPointerDown(event)
    if (view.tool === 'loupe') {
      if (colour) void copyColour(colour)
      return
    }
    drag.current = at(event)
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (view.tool === 'move') return zoom.pan.onPointerMove(event)
    const here = at(event)
    if (view.tool === 'loupe') {
      const rect = frame.current?.getBoundingClientRect()
      if (rect) setPointer({ x: event.clientX - rect.left, y: event.clientY - rect.top, at: here })
      return
    }
    const from = drag.current
    if (!from) return
    const [width, height] = [Math.abs(here.x - from.x), Math.abs(here.y - from.y)]
    if (Math.max(width, height) < REGION_LEAST) return
    const corner = { x: Math.min(from.x, here.x), y: Math.min(from.y, here.y) }
    view.setDraft({
      kind: 'region',
      ...corner,
      width: Math.max(0.001, Math.min(width, 1 - corner.x)),
      height: Math.max(0.001, Math.min(height, 1 - corner.y)),
      ...onPage,
    })
  }
  function onPointerUp(event: PointerEvent<HTMLDivElement>) {
    zoom.pan.onPointerUp()
    const from = drag.current
    drag.current = null
    if (!from || view.tool !== 'comment') return
    const here = at(event)
    if (Math.max(Math.abs(here.x - from.x), Math.abs(here.y - from.y)) < REGION_LEAST)
      view.setDraft({ kind: 'point', ...from, ...onPage })
  }

  const boxStyle = viewport
    ? {
        width: size.width * viewport.scale,
        height: size.height * viewport.scale,
        left: 0,
        top: 0,
        transform: `translate(${viewport.x}px, ${viewport.y}px)`,
      }
    : {
        // As large as the frame allows, never larger than the image is; drawn so before any script has run.
        width: `min(100cqw - 2rem, (100cqh - 2rem) * ${size.width / size.height}, ${size.width}px)`,
        aspectRatio: `${size.width} / ${size.height}`,
      }
  const boxes = isDocument && showsBoxes ? placeBoxes(facts) : []
  const rect = frame.current?.getBoundingClientRect()
  const isSharp = image !== null && viewport !== null && viewport.scale >= 2
  let shown: ReactNode
  if (image) shown = <Drawn src={image.url} file={file} isSharp={isSharp} />
  // What the server sends before there is a script: the browser begins to load it with the page.
  else if (first && !hasFailed) shown = <Drawn src={first} file={file} isSharp={false} />
  else if (hasFailed) shown = <NotLoaded retry={retry} />
  else shown = <Thumbnail file={file} className="size-full border-0" />

  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-1 border-b border-line bg-surface px-2 py-1">
        <ToolButtons view={view} mayComment={mayComment} hasLoupe={file.preview_url !== null || original !== null} />
        <ZoomControls zoom={zoom} />
        {isDocument && (
          <PageControls
            page={view.page}
            pages={Math.max(1, file.preview_pages)}
            setPage={view.setPage}
            comment={mayComment ? () => view.setDraft({ kind: 'page', page: view.page }) : null}
            boxes={{ shown: showsBoxes, toggle: () => setShowsBoxes(!showsBoxes), has: placeBoxes(facts).length > 0 }}
          />
        )}
        {image && !sharp && viewport && original === null && !isDocument && (
          <span className="ml-auto text-xs text-ink-subtle">
            Preview of {image.width} × {image.height} px: browsers cannot draw this format
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: pointing is one way; zoom, pages and comments have buttons */}
      <div
        ref={frame}
        className={cn(
          'relative min-h-0 flex-1 touch-none overflow-hidden bg-media select-none [container-type:size]',
          view.tool === 'move' && viewport && 'cursor-grab active:cursor-grabbing',
          view.tool === 'comment' && 'cursor-crosshair',
          view.tool === 'loupe' && 'cursor-none',
        )}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerLeave={() => setPointer(null)}
        onDoubleClick={(event) => {
          const outer = event.currentTarget.getBoundingClientRect()
          if (view.tool === 'move') zoom.toggle({ x: event.clientX - outer.left, y: event.clientY - outer.top })
        }}
      >
        <div className={cn('absolute', !viewport && 'inset-0 grid place-items-center')}>
          <div
            ref={box}
            className={cn(
              'relative [background:repeating-conic-gradient(#d9d9d9_0_25%,#fff_0_50%)_0_0/16px_16px]',
              viewport ? 'origin-top-left' : 'overflow-visible',
            )}
            style={boxStyle}
          >
            <div className="absolute inset-0 overflow-hidden">{shown}</div>
            <div className="pointer-events-none absolute inset-0 overflow-hidden">
              <Highlight
                focus={view.focus}
                size={
                  isDocument ? { width: Number(facts?.width_mm) || 1, height: Number(facts?.height_mm) || 1 } : size
                }
              />
            </div>
            {boxes.map((one) => (
              <span
                key={one.name}
                role="img"
                aria-label={`${one.name} box`}
                className={cn('pointer-events-none absolute outline-1', BOX_STYLES[one.name])}
                style={{
                  left: `${one.left * 100}%`,
                  top: `${one.top * 100}%`,
                  width: `${one.width * 100}%`,
                  height: `${one.height * 100}%`,
                }}
              >
                <span className="absolute bottom-full left-0 bg-white/90 px-1 text-2xs leading-4 font-medium capitalize">
                  {one.name}
                </span>
              </span>
            ))}
            <Marks {...view} />
          </div>
        </div>
        {view.focus?.evidence && <Evidence url={view.focus.evidence} label={view.focus.label} />}
        {view.tool === 'loupe' && pointer && image && rect && (
          <Loupe image={image.image} at={pointer.at} pointer={pointer} frame={rect} onColour={setColour} />
        )}
        {isClose && original && original !== first && !sharp && base && (
          <p className="absolute bottom-3 left-3 flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink-muted">
            <Spinner /> Loading every pixel
          </p>
        )}
      </div>
    </>
  )
}

const Drawn = ({ src, file, isSharp }: { src: string; file: File; isSharp: boolean }) => (
  // biome-ignore lint/performance/noImgElement: decoded beforehand, or made in the right size by the worker
  <img
    src={src}
    alt={file.name}
    draggable={false}
    fetchPriority="high"
    decoding="sync"
    data-image-of={file.id}
    className={cn('block size-full object-fill', isSharp && '[image-rendering:pixelated]')}
  />
)

const NotLoaded = ({ retry }: { retry: () => void }) => (
  <div role="alert" className="grid size-full place-content-center justify-items-center gap-3 bg-media p-4 text-center">
    <p className="text-sm text-ink-muted">The image could not be loaded.</p>
    {/* The stage takes what is pressed for itself. */}
    <Button size="sm" onPointerDown={(event) => event.stopPropagation()} onClick={retry}>
      Try again
    </Button>
  </div>
)

/** What a check drew as its evidence, instead of the file. */
const Evidence = ({ url, label }: { url: string; label: string }) => (
  <div className="absolute inset-0 grid place-items-center bg-media p-4">
    {/* biome-ignore lint/performance/noImgElement: drawn by the engine in the right size already */}
    <img
      src={url.startsWith('http') ? ownPath(url) : url}
      alt={`Evidence of ${label}`}
      className="max-h-full max-w-full"
    />
  </div>
)
