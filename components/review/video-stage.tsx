'use client'

import { useQueryClient } from '@tanstack/react-query'
import { AudioWaveform, Grid2x2, MessageSquarePlus, PenLine } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { toast } from 'sonner'
import { NotPlayed } from '@/components/files/not-played'
import { PlaybackNote } from '@/components/files/playback-note'
import { seenSize } from '@/components/files/seen-size'
import { playbackKey } from '@/components/files/use-playback'
import { Highlight } from '@/components/pre-qc/evidence-marks'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Select } from '@/components/ui/select'
import { ownPath } from '@/lib/client/own-path'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useVideoShown } from '@/lib/client/use-video-shown'
import { toMillisecond } from '@/lib/timecode'
import { AudioCurves } from './audio-curves'
import { CommentAtTime } from './comment-at-time'
import { Marks } from './marks'
import { PlayedFile, type PlayedProps, type ToPlay } from './played-file'
import { rateOf, startOf } from './room-file'
import { Transport } from './transport'
import { useGrowing } from './use-growing'
import { usePlayer } from './use-player'

// Few draw: the pens come when they are asked for.
const DrawLayer = dynamic(() => import('@/components/drawing/draw-layer').then((module) => module.DrawLayer), {
  loading: () => null,
})
const Pens = dynamic(() => import('./pens').then((module) => module.Pens), { loading: () => null })

const RATIOS = [
  { value: 'none', label: 'No crop' },
  { value: '16:9', label: '16:9' },
  { value: '1:1', label: '1:1' },
  { value: '4:5', label: '4:5' },
  { value: '9:16', label: '9:16' },
] as const
type Ratio = (typeof RATIOS)[number]['value']

/** A video: frame by frame, at any speed, with the areas that are safe and the crops it may be shown in. */
export const VideoStage = (props: PlayedProps) => (
  <PlayedFile {...props}>{(toPlay) => <VideoPlayer key={props.file.id} {...props} {...toPlay} />}</PlayedFile>
)

function VideoPlayer({ file, view, checks, mayComment, source, playback, giveUpPieces }: PlayedProps & ToPlay) {
  const media = useRef<HTMLVideoElement>(null)
  const rate = rateOf(file)
  const pieces = source === null ? (playback?.pieces ?? null) : null
  const player = usePlayer(media, view, 1 / rate, pieces?.end)
  const queries = useQueryClient()
  const src = useGrowing(media, source, pieces, () => queries.invalidateQueries({ queryKey: playbackKey(file.id) }))
  const [showsSafe, setShowsSafe] = useState(false)
  const [showsAudio, setShowsAudio] = useState(false)
  const [ratio, setRatio] = useState<Ratio>('none')
  const isShown = useVideoShown(media)
  useEffect(() => {
    if (isShown === false && source === null) giveUpPieces()
  }, [isShown, source, giveUpPieces])
  const size = seenSize(file)
  const hasAudio = Array.isArray(file.media.audio) && file.media.audio.length > 0

  const toggleTool = (tool: 'comment' | 'draw') => {
    player.halt()
    view.setTool(view.tool === tool ? 'move' : tool)
  }
  useShortcuts(
    [
      { keys: 'c', label: 'Comment on a place', group: 'Review', run: () => toggleTool('comment') },
      { keys: 'd', label: 'Draw on the frame', group: 'Review', run: () => toggleTool('draw') },
    ],
    mayComment && isShown !== false,
  )
  const now = toMillisecond(view.time)

  function place(event: PointerEvent<HTMLDivElement>) {
    if ((event.target as Element).closest('[data-mark]')) return
    if (view.tool !== 'comment') return player.toggle()
    const rect = event.currentTarget.getBoundingClientRect()
    const share = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
    player.halt()
    view.setDraft({
      kind: 'point',
      x: share((event.clientX - rect.left) / rect.width),
      y: share((event.clientY - rect.top) / rect.height),
      time: now,
    })
  }
  return (
    <>
      <PlaybackNote playback={playback} original={ownPath(file.download_url)} />
      {view.tool === 'draw' && <Pens view={view} />}
      <section
        aria-label={`Player of ${file.name}`}
        {...player.keys}
        className="relative grid min-h-0 flex-1 place-items-center overflow-hidden bg-media outline-offset-[-2px] [container-type:size]"
      >
        {isShown === false ? (
          <NotPlayed
            file={file}
            checks={checks}
            played={{ source, playback, isLoading: false }}
            mayMake={mayComment && playback?.is_needed === true}
          />
        ) : (
          <div
            className={cn('relative', view.tool === 'comment' && 'cursor-crosshair')}
            onPointerUp={place}
            style={{
              width: `min(100cqw - 1rem, (100cqh - 1rem) * ${size.width / size.height})`,
              aspectRatio: `${size.width} / ${size.height}`,
            }}
          >
            <video
              ref={media}
              key={file.id}
              src={src}
              poster={file.preview_url ? ownPath(file.preview_url) : undefined}
              playsInline
              preload="auto"
              data-image-of={file.id}
              className="block size-full"
              {...player.events}
            />
            <div className="pointer-events-none absolute inset-0 overflow-hidden">
              <Highlight focus={view.focus} size={size} />
              {showsSafe && <SafeAreas />}
              {ratio !== 'none' && <Crop ratio={ratio} size={size} />}
            </div>
            <Marks {...view} time={view.time} />
            {(view.tool === 'draw' || view.drawing.shapes.length > 0) && (
              <DrawLayer
                drawing={view.drawing}
                isOn={view.tool === 'draw'}
                place={{ time: now }}
                isHere={
                  view.drawing.shapes.length === 0 ||
                  Math.abs((view.drawing.place.time ?? 0) - now) < 0.5 / rate + 0.001
                }
                goBack={() => {
                  player.halt()
                  player.seek(view.drawing.place.time ?? 0)
                  toast.info(
                    'One comment is drawn on one frame: this is the frame of your drawing. Send it to draw on another.',
                  )
                }}
                begin={player.halt}
                stop={() => view.setTool('move')}
              />
            )}
          </div>
        )}
      </section>
      {isShown !== false && showsAudio && hasAudio && source !== null && (
        <AudioCurves
          file={file}
          source={source}
          size={playback?.copy?.size ?? file.size}
          playback={playback}
          mayMake={mayComment}
          view={view}
          duration={player.duration}
          seek={player.seek}
        />
      )}
      {/* A clock that runs over a still image would show times of frames that are not seen. */}
      {isShown !== false && (
        <Transport
          player={player}
          media={media}
          view={view}
          checks={checks}
          rate={rate}
          start={startOf(file)}
          made={pieces?.end}
          playback={playback}
        >
          {mayComment && (
            <>
              <IconButton
                label="Comment on a place"
                shortcut="c"
                icon={<MessageSquarePlus />}
                aria-pressed={view.tool === 'comment'}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
                onClick={() => toggleTool('comment')}
              />
              <IconButton
                label="Draw"
                shortcut="d"
                icon={<PenLine />}
                aria-pressed={view.tool === 'draw'}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
                onClick={() => toggleTool('draw')}
              />
              <CommentAtTime player={player} view={view} />
            </>
          )}
          <IconButton
            label="Safe areas"
            icon={<Grid2x2 />}
            aria-pressed={showsSafe}
            className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            onClick={() => setShowsSafe(!showsSafe)}
          />
          {hasAudio && source !== null && (
            <IconButton
              label="Audio and loudness"
              icon={<AudioWaveform />}
              aria-pressed={showsAudio}
              className="aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
              onClick={() => setShowsAudio(!showsAudio)}
            />
          )}
          <Select
            aria-label="Crop"
            size="sm"
            className="w-26"
            options={RATIOS}
            value={ratio}
            onValueChange={setRatio}
          />
        </Transport>
      )}
    </>
  )
}

/** EBU R 95: action within 93 %, titles within 90 % of width and height. */
function SafeAreas() {
  return (
    <>
      {[
        { name: 'Action safe', inset: '3.5%' },
        { name: 'Title safe', inset: '5%' },
      ].map(({ name, inset }) => (
        <span
          key={name}
          role="img"
          aria-label={`${name} area`}
          className="absolute outline-1 outline-white [box-shadow:0_0_0_2px_rgb(0_0_0/0.5)]"
          style={{ inset }}
        />
      ))}
    </>
  )
}

/** What is left of the image in another shape, cut from its middle. */
function Crop({ ratio, size }: { ratio: Exclude<Ratio, 'none'>; size: { width: number; height: number } }) {
  const [wide = 1, high = 1] = ratio.split(':').map(Number)
  const own = size.width / size.height
  const wanted = wide / high
  const width = wanted < own ? (wanted / own) * 100 : 100
  const height = wanted < own ? 100 : (own / wanted) * 100
  return (
    <span
      role="img"
      aria-label={`Crop to ${ratio}`}
      className="absolute top-1/2 left-1/2 -translate-1/2 outline-1 outline-white [box-shadow:0_0_0_200rem_rgb(0_0_0/0.62)]"
      style={{ width: `${width}%`, height: `${height}%` }}
    />
  )
}
