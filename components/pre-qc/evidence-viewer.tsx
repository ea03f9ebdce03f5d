'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { NotPlayed } from '@/components/files/not-played'
import { NotShown } from '@/components/files/not-shown'
import { PlaybackNote } from '@/components/files/playback-note'
import { RemovedNotice } from '@/components/files/removed-notice'
import { ownPath, Thumbnail } from '@/components/files/thumbnail'
import { usePlayback } from '@/components/files/use-playback'
import { seenSize } from '@/components/review/room-file'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { useVideoShown } from '@/lib/client/use-video-shown'
import type { File } from '@/lib/domain/files/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { Highlight, Timeline } from './evidence-marks'
import type { Focus } from './occurrences'

type Props = {
  file: File
  checks: readonly CheckLine[]
  focus: Focus | null
  setFocus: (focus: Focus | null) => void
}

const mediaClass = 'block max-h-[70dvh] max-w-full'
const stage = 'grid min-h-40 place-items-center overflow-hidden rounded-lg bg-media p-2'

/**
 * The file itself, where a finding is inspected: an image with the region marked, a video or audio at the time, a
 * document at the page. What a check drew as evidence takes its place while it is chosen.
 */
export function EvidenceViewer(props: Props) {
  const { file, focus, setFocus } = props
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [focus])
  return (
    <section ref={frame} aria-label="The file" className="flex scroll-mt-4 flex-col gap-3">
      {focus?.evidence ? (
        <>
          <div className={stage}>
            {/* biome-ignore lint/performance/noImgElement: drawn by the engine in the right size already */}
            <img src={ownPath(focus.evidence)} alt={`Evidence of ${focus.label}`} className={mediaClass} />
          </div>
          <p className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-muted">
            Evidence of {focus.label}
            <Button size="sm" onClick={() => setFocus(null)}>
              Back to the file
            </Button>
          </p>
        </>
      ) : (
        <MediaView key={file.id} {...props} />
      )}
    </section>
  )
}

function MediaView(props: Props) {
  const { file } = props
  if (file.removed) {
    return (
      <>
        {file.preview_url && (file.media.kind === 'document' ? <Pages {...props} /> : <Still {...props} />)}
        <RemovedNotice file={file} />
      </>
    )
  }
  if (file.previews_removed && file.media.kind !== 'video' && file.media.kind !== 'audio')
    return <RemovedNotice file={file} />
  switch (file.media.kind) {
    case 'video':
    case 'audio':
      return <PlayedView key={props.file.id} {...props} />
    case 'document':
      return file.preview_pages > 0 ? <Pages {...props} /> : <Nothing file={file} />
    default:
      return <Still {...props} />
  }
}

function PlayedView(props: Props) {
  const { file, checks } = props
  const played = usePlayback(file)
  const { source, playback } = played
  if (source === null)
    return (
      <div className={stage}>
        <NotPlayed file={file} checks={checks} played={played} mayMake={false} />
      </div>
    )
  const View = file.media.kind === 'video' ? Video : AudioView
  return (
    <>
      <PlaybackNote playback={playback} original={ownPath(file.download_url)} />
      <View key={source} {...props} source={source} />
    </>
  )
}

const Nothing = ({ file }: { file: File }) => <Thumbnail file={file} className="h-40 w-full" />

function Still({ file, focus }: Props) {
  if (!file.preview_url) return <Nothing file={file} />
  return (
    <div className={stage}>
      <div className="relative overflow-hidden">
        {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
        <img src={ownPath(file.preview_url)} alt={`Preview of ${file.name}`} className={mediaClass} />
        <Highlight focus={focus} size={seenSize(file)} />
      </div>
    </div>
  )
}

/** Brings a player to the time at which a finding begins, and stops it there. */
function useSeek(player: RefObject<HTMLMediaElement | null>, focus: Focus | null) {
  const start = focus?.occurrence?.start
  useEffect(() => {
    const media = player.current
    if (start === undefined || !media) return
    media.pause()
    media.currentTime = start
  }, [player, start])
}

function Video({ file, checks, focus, setFocus, source }: Props & { source: string }) {
  const player = useRef<HTMLVideoElement>(null)
  useSeek(player, focus)
  if (useVideoShown(player) === false) return <NotShown file={file} checks={checks} />
  return (
    <>
      <div className={stage}>
        <div className="relative overflow-hidden">
          {/* biome-ignore lint/a11y/useMediaCaption: what agencies deliver has no caption track to show */}
          <video
            ref={player}
            src={source}
            controls
            playsInline
            preload="metadata"
            poster={file.preview_url ? ownPath(file.preview_url) : undefined}
            className={mediaClass}
          />
          <Highlight focus={focus} size={seenSize(file)} />
        </div>
      </div>
      <Timeline duration={file.media.duration_seconds} checks={problems(checks)} focus={focus} setFocus={setFocus} />
    </>
  )
}

function AudioView({ file, checks, focus, setFocus, source }: Props & { source: string }) {
  const player = useRef<HTMLAudioElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useSeek(player, focus)
  return (
    <>
      {file.preview_url && (
        <div className="rounded-lg bg-media">
          {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
          <img src={ownPath(file.preview_url)} alt={`Waveform of ${file.name}`} className="block h-40 w-full" />
        </div>
      )}
      <Timeline duration={file.media.duration_seconds} checks={problems(checks)} focus={focus} setFocus={setFocus} />
      {hasFailed ? (
        <NotShown file={file} checks={checks} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: what agencies deliver has no caption track to show
        <audio
          ref={player}
          src={source}
          controls
          preload="metadata"
          onError={() => setFailed(true)}
          className="w-full"
        />
      )}
    </>
  )
}

function Pages({ file, focus }: Props) {
  const [page, setPage] = useState(1)
  const wanted = focus?.occurrence?.page
  const drawn = file.preview_pages
  const pages = Math.max(drawn, file.media.pages ?? 1)
  useEffect(() => {
    if (wanted !== undefined) setPage(Math.min(Math.max(1, wanted), pages))
  }, [wanted, pages])
  const sizes = Array.isArray(file.media.page_sizes) ? file.media.page_sizes : []
  const size = { width: Number(sizes[page - 1]?.width_mm) || 1, height: Number(sizes[page - 1]?.height_mm) || 1 }
  return (
    <>
      <div className={stage}>
        {page <= drawn && file.preview_url ? (
          <div className="relative overflow-hidden">
            {/* biome-ignore lint/performance/noImgElement: the worker made it in the right size already */}
            <img
              src={`${ownPath(file.preview_url)}?page=${page}`}
              alt={`Page ${page} of ${file.name}`}
              className={mediaClass}
            />
            {(wanted === undefined || wanted === page) && <Highlight focus={focus} size={size} />}
          </div>
        ) : (
          <p className="text-sm text-ink-muted">Page {page} was not drawn. Download the file to see it.</p>
        )}
      </div>
      {pages > 1 && (
        <nav aria-label="Pages" className="flex items-center justify-center gap-2 text-sm tabular-nums">
          <IconButton
            label="Page before"
            icon={<ChevronLeft />}
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          />
          <span aria-live="polite">
            Page {page} of {pages}
          </span>
          <IconButton
            label="Next page"
            icon={<ChevronRight />}
            disabled={page === pages}
            onClick={() => setPage(page + 1)}
          />
        </nav>
      )}
    </>
  )
}

const problems = (checks: readonly CheckLine[]) => checks.filter((check) => isProblem(check.status))
