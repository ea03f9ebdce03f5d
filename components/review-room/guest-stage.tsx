'use client'

import { ZoomIn } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type MouseEvent, useState } from 'react'
import { toast } from 'sonner'
import type { Drawing } from '@/components/drawing/use-drawing'
import { playedSource } from '@/components/files/played-source'
import { PageTurner } from '@/components/media/page-turner'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { ownPath } from '@/lib/client/own-path'
import type { Anchor } from '@/lib/domain/review/schema'
import type { RoomFile } from '@/lib/domain/review-links/schema'
import type { Player } from './guest-media'
import { DrawLayer, Marks, Pens, Watermark } from './guest-overlay'

// What plays is loaded with the first file of its kind. It is drawn on the server, too: nothing waits for its code.
const GuestMedia = dynamic(() => import('./guest-media').then((module) => module.GuestMedia), { loading: () => null })
const GuestBanner = dynamic(() => import('./guest-banner').then((module) => module.GuestBanner), {
  loading: () => null,
})
const ZoomedImage = dynamic(() => import('@/components/media/zoomed-image').then((module) => module.ZoomedImage), {
  loading: () => null,
})

/** The file itself: image, page, player, or the ad in its frame, with the viewer's name over it. */
export function GuestStage({
  token,
  file,
  watermark,
  page,
  onPage,
  player,
  draft,
  onPlace,
  drawing,
  write,
}: {
  token: string
  file: RoomFile
  watermark: string | null
  page: number
  onPage: (page: number) => void
  player: Player
  draft: Anchor | null
  onPlace: (anchor: Anchor) => void
  /** What is drawn for the comment that is being written. */
  drawing: Drawing
  /** On to the words of the comment. */
  write: () => void
}) {
  if (file.has_banner) return <GuestBanner token={token} file={file} watermark={watermark} />
  if (
    (file.kind === 'video' || file.kind === 'audio') &&
    (file.media_url || playedSource(file) || file.playback?.pieces)
  )
    return (
      <GuestMedia token={token} file={file} watermark={watermark} player={player} drawing={drawing} write={write} />
    )
  if (!file.picture_url)
    return (
      <p className="bg-sunken px-4 py-8 text-center text-sm text-ink-muted">
        There is no preview of this file{file.download_url ? '. Download it to view it.' : ', or not yet.'}
      </p>
    )
  return (
    <GuestImage
      file={file}
      image={ownPath(file.picture_url)}
      watermark={watermark}
      page={page}
      onPage={onPage}
      draft={draft}
      onPlace={onPlace}
      drawing={drawing}
      write={write}
    />
  )
}

function GuestImage({
  file,
  image,
  watermark,
  page,
  onPage,
  draft,
  onPlace,
  drawing,
  write,
}: Omit<Parameters<typeof GuestStage>[0], 'token' | 'player'> & { image: string }) {
  const [isDrawing, setDrawing] = useState(false)
  const isDocument = file.kind === 'document'
  function place(event: MouseEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (at: number, from: number, length: number) => Math.min(1, Math.max(0, (at - from) / length))
    onPlace({
      kind: 'point',
      x: share(event.clientX, box.left, box.width),
      y: share(event.clientY, box.top, box.height),
      ...(isDocument && { page }),
    })
  }
  const drawnPage = drawing.place.page ?? 1
  return (
    <div className="bg-media">
      <Pens drawing={drawing} isOn={isDrawing} setOn={setDrawing} write={write} mayDraw={file.is_current}>
        <ZoomButton file={file} preview={image} watermark={watermark} />
      </Pens>
      <div className="grid place-items-center p-2 sm:p-4">
        <div className="relative">
          <button
            type="button"
            aria-label={`Point at a place in ${file.name} to comment on it`}
            // By the keyboard there is no place: the comment is about the whole then.
            onClick={(event) => event.detail > 0 && place(event)}
            className="block cursor-crosshair"
          >
            {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
            <img
              src={page > 1 ? `${image}?page=${page}` : image}
              alt={isDocument ? `Page ${page} of ${file.name}` : file.name}
              loading="lazy"
              draggable={false}
              className="block max-h-[75dvh] max-w-full"
            />
          </button>
          <div className="pointer-events-none absolute inset-0 overflow-hidden">
            <Marks file={file} page={isDocument ? page : null} time={null} draft={draft} drawing={drawing} />
            <Watermark text={watermark} />
          </div>
          {(isDrawing || drawing.shapes.length > 0) && (
            <DrawLayer
              drawing={drawing}
              isOn={isDrawing}
              place={isDocument ? { page } : {}}
              isHere={drawing.shapes.length === 0 || !isDocument || drawnPage === page}
              goBack={() => {
                onPage(drawnPage)
                toast.info('A comment is drawn on one page, this one. Send it to draw on another.')
              }}
              stop={() => setDrawing(false)}
            />
          )}
        </div>
      </div>
      {file.pages > 1 && (
        <div className="flex items-center justify-center gap-2 border-t border-line bg-surface px-3 py-1 text-sm tabular-nums">
          <PageTurner page={page} pages={file.pages} inFile={file.pages_in_file} setPage={onPage} />
        </div>
      )}
    </div>
  )
}

/** A large image in front of the page, to its pixels. */
function ZoomButton({ file, preview, watermark }: { file: RoomFile; preview: string; watermark: string | null }) {
  const { tiles_url: tiles, width, height } = file
  if (!tiles || !width || !height) return null
  return (
    <Dialog
      size="xl"
      title={file.name}
      description={`${width} × ${height} pixels`}
      trigger={
        <Button size="sm" variant="ghost">
          <ZoomIn />
          Zoom to every pixel
        </Button>
      }
    >
      <ZoomedImage id={file.id} name={file.name} size={{ width, height }} preview={preview} tilesPath={ownPath(tiles)}>
        <Watermark text={watermark} />
      </ZoomedImage>
    </Dialog>
  )
}
