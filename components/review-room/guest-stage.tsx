'use client'

import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, ShieldCheck } from 'lucide-react'
import type { MouseEvent, RefObject } from 'react'
import { MakingCopy, PlaybackNote } from '@/components/files/playback-note'
import { IconButton } from '@/components/ui/icon-button'
import { api } from '@/lib/client/api'
import type { Anchor } from '@/lib/domain/review/schema'
import type { RoomFile } from '@/lib/domain/review-links/schema'

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
}: {
  token: string
  file: RoomFile
  watermark: string | null
  page: number
  onPage: (page: number) => void
  player: Player
  draft: Anchor | null
  onPlace: (anchor: Anchor) => void
}) {
  if (file.has_banner) return <Banner token={token} file={file} watermark={watermark} />
  const source = sourceOf(file)
  const original = file.download_url ? pathOf(file.download_url) : null
  if ((file.kind === 'video' || file.kind === 'audio') && file.media_url && !source)
    return <NoCopy file={file} original={original} />
  if (file.kind === 'video' && source) {
    return (
      <>
        <PlaybackNote playback={file.playback} original={original} />
        <div className="relative grid place-items-center bg-media">
          {/* biome-ignore lint/a11y/useMediaCaption: captions, where there are any, are in the file */}
          <video
            ref={player as RefObject<HTMLVideoElement>}
            key={source}
            src={source}
            poster={file.picture_url ? pathOf(file.picture_url) : undefined}
            controls
            playsInline
            preload="metadata"
            // Without the page around it there would be no name over it.
            controlsList={watermark ? 'nodownload nofullscreen noremoteplayback' : 'nodownload'}
            disablePictureInPicture={watermark !== null}
            aria-label={`Video ${file.name}`}
            className="block max-h-[70dvh] w-full"
          />
          <Watermark text={watermark} />
        </div>
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
  const image = pathOf(file.picture_url)
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
  return (
    <div className="bg-media">
      <div className="grid place-items-center p-2 sm:p-4">
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
          <Marks file={file} page={isDocument ? page : null} draft={draft} />
          <Watermark text={watermark} />
        </button>
      </div>
      {file.pages > 1 && (
        <div className="flex items-center justify-center gap-2 border-t border-line bg-surface px-3 py-1 text-sm tabular-nums">
          <IconButton
            label="Page before"
            icon={<ChevronLeft />}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          />
          Page {page} of {file.pages}
          <IconButton
            label="Next page"
            icon={<ChevronRight />}
            disabled={page >= file.pages}
            onClick={() => onPage(page + 1)}
          />
        </div>
      )}
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

/** Numbered as the comments below are. */
function Marks({ file, page, draft }: { file: RoomFile; page: number | null; draft: Anchor | null }) {
  const marks = file.comments.map(({ anchor }, index) => ({ anchor, label: String(index + 1) }))
  return [...marks, { anchor: draft, label: '+' }].map(({ anchor, label }) => {
    if (anchor?.kind !== 'point' && anchor?.kind !== 'region') return null
    if (page !== null && (anchor.page ?? 1) !== page) return null
    return (
      <span key={label} aria-hidden="true">
        {anchor.kind === 'region' && (
          <span
            className="absolute outline-2 outline-fail [box-shadow:0_0_0_1px_#fff,inset_0_0_0_1px_#fff]"
            style={{
              left: percent(anchor.x),
              top: percent(anchor.y),
              width: percent(anchor.width),
              height: percent(anchor.height),
            }}
          />
        )}
        <span
          className="absolute grid size-6 -translate-1/2 place-items-center rounded-full border-2 border-white bg-[#1c2322] text-2xs font-semibold text-white"
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
