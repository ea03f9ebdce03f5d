'use client'

import dynamic from 'next/dynamic'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { seenSize } from '@/components/files/seen-size'
import { Thumbnail } from '@/components/files/thumbnail'
import { type Channel, ChannelChoice, ChannelFilter, filterOf } from '@/components/media/channels'
import { TilesNote } from '@/components/media/tiles-note'
import { usePdf } from '@/components/media/use-pdf'
import { useTiles } from '@/components/media/use-tiles'
import { Highlight } from '@/components/pre-qc/evidence-marks'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/spinner'
import { useImage } from '@/lib/client/image-cache'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { File } from '@/lib/domain/files/schema'
import { Loupe } from './loupe'
import { Marks } from './marks'
import { PageBoxes } from './page-box-outlines'
import { placeBoxes } from './page-boxes'
import { drawsPages, imageOf, originalOf, pagesOf } from './room-file'
import { Evidence, NotLoaded, PageInDrawing, StageImage } from './stage-image'
import { PageControls, ToolButtons, ZoomControls } from './stage-tools'
import { useStagePointer } from './use-stage-pointer'
import type { View } from './use-view'
import { useZoom } from './use-zoom'

const DeepZoom = lazy(() => import('@/components/media/deep-zoom').then((module) => ({ default: module.DeepZoom })))
const PdfView = lazy(() => import('@/components/media/pdf-view').then((module) => ({ default: module.PdfView })))
const PdfLayers = dynamic(() => import('./pdf-layers').then((module) => module.PdfLayers), { loading: () => null })
const PdfSeparations = dynamic(() => import('./pdf-separations').then((module) => module.PdfSeparations), {
  loading: () => null,
})
const PdfShown = dynamic(() => import('./pdf-shown').then((module) => module.PdfShown), { loading: () => null })
// Few draw: the pens come when they are asked for.
const DrawLayer = dynamic(() => import('@/components/drawing/draw-layer').then((module) => module.DrawLayer), {
  loading: () => null,
})
const Pens = dynamic(() => import('./pens').then((module) => module.Pens), { loading: () => null })

/** An image, or a page of a document: zoomed to its pixels, moved, measured by eye, commented on. */
export function ImageStage({ file, view, mayComment }: { file: File; view: View; mayComment: boolean }) {
  const isDocument = file.media.kind === 'document'
  const sizes = Array.isArray(file.media.page_sizes) ? file.media.page_sizes : []
  const facts = isDocument ? sizes[view.page - 1] : null
  const pageSize = facts ?? sizes.at(-1)
  const size = isDocument
    ? { width: (Number(pageSize?.width_mm) || 210) * 8, height: (Number(pageSize?.height_mm) || 297) * 8 }
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
  const tiled = useTiles(file, isClose, view.tool === 'loupe')
  const [channel, setChannel] = useState<Channel>('all')
  // Of a long document the first pages have an image; the browser draws the others.
  const isWithoutImage = drawsPages(file) && view.page > file.preview_pages
  const pdf = usePdf(file, view.page, wantsPixels || isWithoutImage)
  const wantsOriginal = isClose && tiled.needsOriginal
  const { image: sharp } = useImage(wantsOriginal && original && original !== first ? original : null)
  const image = sharp ?? base
  const { loupe, setColour, handlers } = useStagePointer({
    frame,
    box,
    zoom,
    view,
    page: isDocument ? view.page : null,
  })
  const { view: viewport } = zoom

  useEffect(() => {
    // A document that is open stays so.
    if (zoom.view || isWithoutImage) setWantsPixels(true)
  }, [zoom.view, isWithoutImage])
  // The loupe reads the preview, which has the layers of the file and all plates.
  const isLoupeOff = pdf.isChanged || pdf.plate !== null || isWithoutImage
  const { tool, setTool } = view
  useEffect(() => {
    if (isLoupeOff && tool === 'loupe') setTool('move')
  }, [isLoupeOff, tool, setTool])
  useShortcuts([
    { keys: '0', label: 'Whole image', group: 'Viewing', run: zoom.whole },
    { keys: '1', label: 'Pixel for pixel', group: 'Viewing', run: zoom.actual },
    { keys: '+', label: 'Zoom in', group: 'Viewing', run: zoom.zoomIn },
    { keys: '-', label: 'Zoom out', group: 'Viewing', run: zoom.zoomOut },
  ])

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
  const shownPage = isDocument ? view.page : undefined
  let preview: ReactNode
  if (image) preview = <StageImage src={image.url} file={file} isSharp={isSharp} page={shownPage} />
  // What the server sends before there is a script: the browser begins to load it with the page.
  else if (first && !hasFailed) preview = <StageImage src={first} file={file} isSharp={false} page={shownPage} />
  else if (hasFailed) preview = <NotLoaded retry={retry} />
  else if (isWithoutImage) preview = <PageInDrawing page={view.page} failure={pdf.failure} retry={pdf.makeAgain} />
  else preview = <Thumbnail file={file} className="size-full border-0" />
  // A page is drawn where its preview has fewer pixels than the screen, or not the layers or the plate that is shown,
  // or where it has none.
  const isBeyond = viewport !== null && size.width * viewport.scale * globalThis.devicePixelRatio > (base?.width ?? 0)
  const isDrawn = pdf.failure === null && (isBeyond || isLoupeOff)
  const { tiles } = tiled
  const isTiled = tiles !== null && viewport !== null
  // A boundary of its own: without one the whole room would be hidden until the viewer has loaded.
  const shown = isTiled ? (
    <Suspense fallback={preview}>
      <DeepZoom
        tiles={tiles}
        viewport={viewport}
        frame={frame}
        preview={base?.image ?? null}
        fileId={file.id}
        label={file.name}
        filter={filterOf(channel)}
      />
    </Suspense>
  ) : (
    preview
  )

  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-1 border-b border-line bg-surface print:hidden px-2 py-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:[scrollbar-width:none] max-sm:[&>*]:shrink-0">
        <ToolButtons
          view={view}
          mayComment={mayComment}
          hasLoupe={file.preview_url !== null || original !== null}
          isLoupeOff={isLoupeOff}
        />
        <ZoomControls zoom={zoom} />
        {isDocument && (
          <PageControls
            page={view.page}
            pages={pagesOf(file)}
            inFile={Number(file.media.pages) || null}
            setPage={view.setPage}
            comment={mayComment ? () => view.setDraft({ kind: 'page', page: view.page }) : null}
            boxes={{ shown: showsBoxes, toggle: () => setShowsBoxes(!showsBoxes), has: placeBoxes(facts).length > 0 }}
          />
        )}
        {!isDocument && (
          <ChannelChoice channel={channel} setChannel={setChannel} hasAlpha={file.media.has_alpha === true} />
        )}
        {isDocument && file.media.has_optional_content === true && pdf.source && <PdfLayers pdf={pdf} />}
        {isDocument && pdf.source && <PdfSeparations file={file} page={view.page} pdf={pdf} />}
        {(viewport || pdf.isWanted) && !sharp && !isTiled && !isWithoutImage && (
          <TilesNote tiled={pdf.source ? pdf : tiled}>
            {image && original === null && !isDocument && (
              <span className="ml-auto text-xs text-ink-subtle">
                Preview of {image.width} × {image.height} px: browsers cannot draw this format
              </span>
            )}
          </TilesNote>
        )}
      </div>
      {view.tool === 'draw' && <Pens view={view} />}
      {/* Pointing is one way; zoom, pages and comments have buttons. */}
      <div
        ref={frame}
        className={cn(
          'relative min-h-0 flex-1 touch-none overflow-hidden bg-media select-none [container-type:size]',
          view.tool === 'move' && viewport && 'cursor-grab active:cursor-grabbing',
          view.tool === 'comment' && 'cursor-crosshair',
          view.tool === 'loupe' && 'cursor-none',
        )}
        {...handlers}
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
            <ChannelFilter channel={channel} />
            <div
              className="absolute inset-0 overflow-hidden"
              style={isTiled ? undefined : { filter: filterOf(channel) }}
            >
              {shown}
              {pdf.isWanted && (
                <Suspense>
                  <PdfView
                    pdf={pdf}
                    number={view.page}
                    viewport={viewport}
                    size={size}
                    isDrawn={isDrawn}
                    frame={frame}
                    fileId={file.id}
                    label={`Page ${view.page} of ${file.name}, ${pdf.plate ? pdf.plate.name : 'every line'}`}
                  />
                </Suspense>
              )}
            </div>
            <div className="pointer-events-none absolute inset-0 overflow-hidden">
              <Highlight
                focus={view.focus}
                size={
                  isDocument ? { width: Number(facts?.width_mm) || 1, height: Number(facts?.height_mm) || 1 } : size
                }
              />
            </div>
            <PageBoxes boxes={boxes} />
            <Marks {...view} />
            {(view.tool === 'draw' || view.drawing.shapes.length > 0) && (
              <DrawLayer
                drawing={view.drawing}
                isOn={view.tool === 'draw'}
                place={isDocument ? { page: view.page } : {}}
                isHere={view.drawing.shapes.length === 0 || !isDocument || view.drawing.place.page === view.page}
                goBack={() => {
                  view.setPage(view.drawing.place.page ?? 1)
                  toast.info('A comment is drawn on one page, this one. Send it to draw on another.')
                }}
                stop={() => view.setTool('move')}
              />
            )}
          </div>
        </div>
        {(pdf.plate || pdf.isChanged) && <PdfShown pdf={pdf} />}
        {view.focus?.evidence && <Evidence url={view.focus.evidence} label={view.focus.label} />}
        {view.tool === 'loupe' && loupe && image && rect && (
          <Loupe image={image.image} at={loupe.at} pointer={loupe} frame={rect} onColour={setColour} />
        )}
        {wantsOriginal && original && original !== first && !sharp && base && (
          <p className="absolute bottom-3 left-3 flex items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs text-ink-muted">
            <Spinner /> Loading every pixel
          </p>
        )}
      </div>
    </>
  )
}
