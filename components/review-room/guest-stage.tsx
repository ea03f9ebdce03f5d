'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PenLine, ShieldCheck, ZoomIn } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type MouseEvent, type ReactNode, type RefObject, useState } from 'react'
import { toast } from 'sonner'
import type { Drawing } from '@/components/drawing/use-drawing'
import { MakingCopy, PlaybackNote } from '@/components/files/playback-note'
import { PageTurner } from '@/components/media/page-turner'
import { isHere } from '@/components/review/marks'
import { useCanPlayPieces, useGrowing } from '@/components/review/use-growing'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { api } from '@/lib/client/api'
import type { Pieces } from '@/lib/client/growing-media'
import type { Anchor } from '@/lib/domain/review/schema'
import type { RoomFile } from '@/lib/domain/review-links/schema'
import { toMillisecond } from '@/lib/timecode'
import { roomKey } from './use-room-live'

// Few draw: the pens come when they are asked for.
const DrawBar = dynamic(() => import('@/components/drawing/draw-bar').then((module) => module.DrawBar), {
  loading: () => null,
})
// Most comments are not drawn.
const DrawnShapes = dynamic(() => import('@/components/drawing/drawn-shapes').then((module) => module.DrawnShapes), {
  loading: () => null,
})
const ZoomedImage = dynamic(() => import('@/components/media/zoomed-image').then((module) => module.ZoomedImage), {
  loading: () => null,
})
const DrawLayer = dynamic(() => import('@/components/drawing/draw-layer').then((module) => module.DrawLayer), {
  loading: () => null,
})

const pathOf = (url: string) => new URL(url).pathname
const percent = (share: number) => `${share * 100}%`

type Player = RefObject<HTMLVideoElement | HTMLAudioElement | null>

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
  const canPlayPieces = useCanPlayPieces()
  const [hasGivenUp, setGivenUp] = useState(false)
  if (file.has_banner) return <Banner token={token} file={file} watermark={watermark} />
  const source = sourceOf(file)
  const pieces = source === null && canPlayPieces && !hasGivenUp ? (file.playback?.pieces ?? null) : null
  const original = file.download_url ? pathOf(file.download_url) : null
  if ((file.kind === 'video' || file.kind === 'audio') && file.media_url && !source && !pieces)
    return <NoCopy file={file} original={original} />
  if (file.kind === 'video' && (source || pieces)) {
    return (
      <>
        <PlaybackNote playback={file.playback} original={original} />
        <GuestVideo
          token={token}
          file={file}
          source={source}
          pieces={pieces}
          giveUpPieces={() => setGivenUp(true)}
          watermark={watermark}
          player={player as RefObject<HTMLVideoElement | null>}
          drawing={drawing}
          write={write}
        />
      </>
    )
  }
  if (file.kind === 'audio' && source) {
    return (
      <>
        <PlaybackNote playback={file.playback} original={original} />
        <div className="bg-media p-4">
          {/* biome-ignore lint/a11y/useMediaCaption: what is said is what is reviewed */}
          <audio
            ref={player as RefObject<HTMLAudioElement>}
            key={source}
            src={source}
            controls
            controlsList="nodownload"
            preload="metadata"
            aria-label={`Audio of ${file.name}`}
            className="w-full"
          />
        </div>
      </>
    )
  }
  if (!file.picture_url)
    return (
      <p className="bg-sunken px-4 py-8 text-center text-sm text-ink-muted">
        There is no preview of this file{file.download_url ? '. Download it to view it.' : ', or not yet.'}
      </p>
    )
  return (
    <GuestImage
      file={file}
      image={pathOf(file.picture_url)}
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

/** The pens over the image while they are in hand, or the button that takes them. */
function Pens({
  drawing,
  isOn,
  setOn,
  write,
  mayDraw,
  children,
}: {
  drawing: Drawing
  isOn: boolean
  setOn: (isOn: boolean) => void
  write: () => void
  mayDraw: boolean
  /** What else can be done with the image. */
  children?: ReactNode
}) {
  if (!mayDraw && !children) return null
  if (!isOn) {
    return (
      <div className="flex flex-wrap justify-center gap-1 border-b border-line bg-surface px-2 py-1 empty:hidden">
        {mayDraw && (
          <Button size="sm" variant="ghost" onClick={() => setOn(true)}>
            <PenLine />
            {drawing.shapes.length > 0 ? 'Go on drawing' : 'Draw on it'}
          </Button>
        )}
        {children}
      </div>
    )
  }
  const stop = () => setOn(false)
  return (
    <DrawBar
      drawing={drawing}
      hasKeys={false}
      stop={stop}
      write={() => {
        stop()
        write()
      }}
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
            className="relative block cursor-crosshair overflow-hidden"
          >
            {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
            <img
              src={page > 1 ? `${image}?page=${page}` : image}
              alt={isDocument ? `Page ${page} of ${file.name}` : file.name}
              loading="lazy"
              draggable={false}
              className="block max-h-[75dvh] max-w-full"
            />
            <Marks file={file} page={isDocument ? page : null} time={null} draft={draft} drawing={drawing} />
            <Watermark text={watermark} />
          </button>
          {(isDrawing || drawing.shapes.length > 0) && (
            <DrawLayer
              drawing={drawing}
              isOn={isDrawing}
              place={isDocument ? { page } : {}}
              isHere={drawing.shapes.length === 0 || !isDocument || drawnPage === page}
              goBack={() => {
                onPage(drawnPage)
                toast.info(
                  'One comment is drawn on one page: this is the page of your drawing. Send it to draw on another.',
                )
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
      <ZoomedImage id={file.id} name={file.name} size={{ width, height }} preview={preview} tilesPath={pathOf(tiles)}>
        <Watermark text={watermark} />
      </ZoomedImage>
    </Dialog>
  )
}

/** Half a frame at 25 a second: a player that is stopped shows the frame it was drawn on. */
const SAME_FRAME = 0.02

function GuestVideo({
  token,
  file,
  source,
  pieces,
  giveUpPieces,
  watermark,
  player,
  drawing,
  write,
}: {
  token: string
  file: RoomFile
  /** Null while there are only pieces of a copy that is being made. */
  source: string | null
  pieces: Pieces | null
  giveUpPieces: () => void
  watermark: string | null
  player: RefObject<HTMLVideoElement | null>
  drawing: Drawing
  write: () => void
}) {
  const [isDrawing, setOn] = useState(false)
  const [time, setTime] = useState(0)
  const queries = useQueryClient()
  const src = useGrowing(player, source, pieces, () => queries.invalidateQueries({ queryKey: roomKey(token) }))
  // By the container at first; the player knows better, once it has read the file.
  const [ratio, setRatio] = useState(file.width && file.height ? file.width / file.height : 16 / 9)
  const now = toMillisecond(time)
  const halt = () => player.current?.pause()
  const drawnAt = drawing.place.time ?? 0
  return (
    <div className="bg-media">
      <Pens
        drawing={drawing}
        isOn={isDrawing}
        setOn={(isOn) => {
          if (isOn) halt()
          setOn(isOn)
        }}
        write={write}
        mayDraw={file.is_current}
      />
      <div className="grid place-items-center">
        <div className="relative max-w-full" style={{ width: `min(100%, ${70 * ratio}dvh)`, aspectRatio: ratio }}>
          {/* biome-ignore lint/a11y/useMediaCaption: captions, where there are any, are in the file */}
          <video
            ref={player}
            src={src}
            onError={() => source === null && giveUpPieces()}
            poster={file.picture_url ? pathOf(file.picture_url) : undefined}
            controls={!isDrawing}
            playsInline
            preload="metadata"
            // Without the page around it there would be no name over it.
            controlsList={watermark ? 'nodownload nofullscreen noremoteplayback' : 'nodownload'}
            disablePictureInPicture={watermark !== null}
            aria-label={`Video ${file.name}`}
            onTimeUpdate={(event) => setTime(event.currentTarget.currentTime)}
            onSeeked={(event) => setTime(event.currentTarget.currentTime)}
            onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => {
              if (videoWidth > 0 && videoHeight > 0) setRatio(videoWidth / videoHeight)
            }}
            className="block size-full"
          />
          <Marks file={file} page={null} time={time} draft={null} drawing={drawing} />
          <Watermark text={watermark} />
          {(isDrawing || drawing.shapes.length > 0) && (
            <DrawLayer
              drawing={drawing}
              isOn={isDrawing}
              place={{ time: now }}
              isHere={drawing.shapes.length === 0 || Math.abs(drawnAt - now) <= SAME_FRAME}
              goBack={() => {
                halt()
                if (player.current) player.current.currentTime = drawnAt
                toast.info(
                  'One comment is drawn on one frame: this is the frame of your drawing. Send it to draw on another.',
                )
              }}
              begin={halt}
              stop={() => setOn(false)}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** What a player plays of it: the file, or the copy that was made where browsers do not play that. Null: there is none. */
export function sourceOf({ media_url, playback }: RoomFile): string | null {
  if (!playback?.is_needed) return media_url && pathOf(media_url)
  if (!playback.url) return null
  const { pathname, search } = new URL(playback.url)
  return pathname + search
}

function NoCopy({ file, original }: { file: RoomFile; original: string | null }) {
  const { playback, picture_url } = file
  const isMade = playback?.status === 'queued' || playback?.status === 'running'
  const poster = picture_url ? pathOf(picture_url) : null
  if (isMade) return <MakingCopy playback={playback} poster={poster} />
  return (
    <div className="grid place-items-center gap-3 bg-media p-4">
      {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
      {poster && <img src={poster} alt={`Preview of ${file.name}`} className="max-h-[50dvh] max-w-full" />}
      <p className="bg-surface px-3 py-1.5 text-sm text-ink-muted">
        Browsers cannot play this file, and there is no playback copy of it
        {original ? '. Download it to view it.' : '. Ask the person who sent you the link.'}
      </p>
    </div>
  )
}

/** Numbered as the comments below are; of a video those of the time it shows. */
function Marks({
  file,
  page,
  time,
  draft,
  drawing,
}: {
  file: RoomFile
  page: number | null
  time: number | null
  draft: Anchor | null
  drawing: Drawing
}) {
  const marks = file.comments.map(({ anchor, shapes, is_resolved }, index) => ({
    anchor,
    shapes: is_resolved ? [] : shapes,
    label: String(index + 1),
  }))
  const mine = drawing.shapes.length > 0 ? null : draft
  return [...marks, { anchor: mine, shapes: [], label: '+' }].map(({ anchor, shapes, label }) => {
    if (anchor?.kind !== 'point' && anchor?.kind !== 'region') return null
    if (!isHere(anchor, page ?? anchor.page ?? 1, time)) return null
    return (
      <span key={label} aria-hidden="true">
        <DrawnShapes shapes={shapes} />
        {anchor.kind === 'region' && shapes.length === 0 && (
          <span
            className="pointer-events-none absolute outline-2 outline-fail [box-shadow:0_0_0_1px_#fff,inset_0_0_0_1px_#fff]"
            style={{
              left: percent(anchor.x),
              top: percent(anchor.y),
              width: percent(anchor.width),
              height: percent(anchor.height),
            }}
          />
        )}
        <span
          className="pointer-events-none absolute grid size-6 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#1c2322] text-2xs font-semibold text-white"
          style={{ left: percent(anchor.x), top: percent(anchor.y) }}
        >
          {label}
        </span>
      </span>
    )
  })
}

const REPEATS = Array.from({ length: 24 }, (_, index) => index)

/** The viewer's name all over the image: who passes a screenshot of it on is known. */
function Watermark({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <span
      aria-hidden="true"
      data-watermark
      className="pointer-events-none absolute inset-0 grid auto-rows-max grid-cols-2 content-around justify-items-center overflow-hidden select-none sm:grid-cols-3"
    >
      {REPEATS.map((index) => (
        <span
          key={index}
          className="my-4 max-w-48 -rotate-24 truncate text-sm font-semibold text-white/45 [text-shadow:0_0_2px_rgb(0_0_0/0.6)]"
        >
          {text}
        </span>
      ))}
    </span>
  )
}

/** An HTML5 ad, run where it can do nothing: a frame without an origin, that loads its own parts and nothing else. */
function Banner({ token, file, watermark }: { token: string; file: RoomFile; watermark: string | null }) {
  const { data, error } = useQuery({
    queryKey: ['room-banner', file.id],
    queryFn: () =>
      api('GET /api/public/review-links/{token}/files/{file_id}/banner', { params: { token, file_id: file.id } }),
    staleTime: 3_600_000,
    retry: false,
  })
  return (
    <div className="bg-media">
      <p className="flex items-center gap-1.5 border-b border-line bg-surface px-3 py-1.5 text-xs text-ink-muted">
        <ShieldCheck aria-hidden="true" className="size-4 text-pass-ink" />
        Runs sandboxed: its own parts only, no other addresses, no windows
      </p>
      <div className="overflow-auto p-4">
        {data ? (
          <div className="relative mx-auto w-max">
            <iframe
              title={`The ad ${file.name}`}
              src={pathOf(data.url)}
              sandbox="allow-scripts"
              referrerPolicy="no-referrer"
              loading="lazy"
              width={data.width ?? 300}
              height={data.height ?? 250}
              className="bg-white shadow-sm"
            />
            <Watermark text={watermark} />
          </div>
        ) : (
          <p className="py-6 text-center text-sm text-ink-muted">
            {error ? 'The ad cannot be run here.' : 'Opening the ad'}
          </p>
        )}
      </div>
    </div>
  )
}
