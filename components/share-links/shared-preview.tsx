'use client'

import { ChevronLeft, ChevronRight, Download, ZoomIn } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { NoCopy, PlaybackNote } from '@/components/files/playback-note'
import { playedSource } from '@/components/files/played-source'
import { PageTurner } from '@/components/media/page-turner'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFooter } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { AnchorButton } from '@/components/ui/link-button'
import { ownPath } from '@/lib/client/own-path'
import type { SharedFile } from '@/lib/domain/share-links/schema'
import { formatBytes } from '@/lib/format'

const ZoomedImage = dynamic(() => import('@/components/media/zoomed-image').then((module) => module.ZoomedImage), {
  loading: () => null,
})

/** Whether there is something to look at or to play of it. */
export const isViewable = ({ withheld, preview_url, media_url }: SharedFile) =>
  withheld === null && (preview_url !== null || media_url !== null)

/** One file after the other, in front of the page. `viewed`: the id of the one that is shown, or was last. */
export function SharedPreview({
  files,
  viewed,
  isOpen,
  onView,
  onClose,
}: {
  files: readonly SharedFile[]
  viewed: string | null
  isOpen: boolean
  onView: (id: string | null) => void
  onClose: () => void
}) {
  const at = files.findIndex(({ id }) => id === viewed)
  const file = files[at]
  const before = files[at - 1]
  const after = files[at + 1]
  return (
    <Dialog
      open={isOpen && file !== undefined}
      onOpenChange={(next) => !next && onClose()}
      size="xl"
      title={file?.name ?? ''}
      description={file && `${at + 1} of ${files.length}, ${formatBytes(file.size)}`}
    >
      {file && <Stage key={file.id} file={file} />}
      {file && (
        <DialogFooter className="justify-between">
          <span className="flex gap-1">
            <IconButton
              label={before ? `File before: ${before.name}` : 'File before'}
              icon={<ChevronLeft />}
              disabled={!before}
              onClick={() => before && onView(before.id)}
            />
            <IconButton
              label={after ? `Next file: ${after.name}` : 'Next file'}
              icon={<ChevronRight />}
              disabled={!after}
              onClick={() => after && onView(after.id)}
            />
          </span>
          {file.download_url && (
            <AnchorButton variant="primary" href={ownPath(file.download_url)} download>
              <Download aria-hidden="true" />
              Download
            </AnchorButton>
          )}
        </DialogFooter>
      )}
    </Dialog>
  )
}

function Stage({ file }: { file: SharedFile }) {
  const [page, setPage] = useState(1)
  const [isZoomed, setZoomed] = useState(false)
  const { kind, name, playback, preview_url } = file
  const poster = preview_url ? ownPath(preview_url) : undefined
  const source = playedSource(file)
  if (file.media_url && !source) return <NoCopy file={file} poster={poster ?? null} />
  if (source && kind === 'video')
    return (
      <>
        <PlaybackNote playback={playback} original={null} />
        <div className="mt-3 bg-media">
          {/* biome-ignore lint/a11y/useMediaCaption: captions, where there are any, are in the file */}
          <video
            src={source}
            poster={poster}
            controls
            playsInline
            preload="metadata"
            controlsList="nodownload"
            aria-label={`Video ${name}`}
            className="block max-h-[70dvh] w-full"
          />
        </div>
      </>
    )
  if (source)
    return (
      <>
        <PlaybackNote playback={playback} original={null} />
        <div className="mt-3 flex flex-col items-center gap-4 bg-media p-4">
          {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
          {poster && <img src={poster} alt="" className="max-h-[40dvh] max-w-full" />}
          {/* biome-ignore lint/a11y/useMediaCaption: the sound itself is what is shared */}
          <audio
            src={source}
            controls
            controlsList="nodownload"
            preload="metadata"
            aria-label={`Audio of ${name}`}
            className="w-full"
          />
        </div>
      </>
    )
  const { tiles_url: tiles, width, height } = file
  if (isZoomed && tiles && width && height && poster)
    return (
      <ZoomedImage
        id={file.id ?? name}
        name={name}
        size={{ width, height }}
        preview={poster}
        tilesPath={ownPath(tiles)}
      />
    )
  return (
    <>
      {tiles && (
        <div className="flex justify-center px-2 pt-1">
          <Button size="sm" variant="ghost" onClick={() => setZoomed(true)}>
            <ZoomIn />
            Zoom to every pixel
          </Button>
        </div>
      )}
      <div className="mt-3 grid min-h-48 place-items-center bg-media p-2 sm:p-4">
        {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
        <img
          src={page > 1 ? `${poster}?page=${page}` : poster}
          alt={file.pages > 1 ? `Page ${page} of ${name}` : name}
          className="block max-h-[65dvh] max-w-full"
        />
      </div>
      {file.pages > 1 && (
        <div className="flex items-center justify-center gap-2 border-t border-line px-3 py-1 text-sm tabular-nums">
          <PageTurner page={page} pages={file.pages} inFile={file.pages_in_file} setPage={setPage} />
        </div>
      )}
    </>
  )
}
