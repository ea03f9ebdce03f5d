'use client'

import { useQuery } from '@tanstack/react-query'
import { useMakePlayback } from '@/components/files/use-make-playback'
import { isBeingMade } from '@/components/files/use-playback'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/spinner'
import type { File } from '@/lib/domain/files/schema'
import { READ_BY_BROWSER_BYTES } from '@/lib/domain/playback/rules'
import type { Playback } from '@/lib/domain/playback/schema'
import { AudioCurve, FLOOR_LUFS } from '@/lib/loudness'
import { barsOf } from './bars'
import type { View } from './use-view'

const BARS = 480
/** EBU R 128: the level programmes are brought to, the line to search for. */
const TARGET_LUFS = -23

async function audioOf(source: string, size: number) {
  if (size > READ_BY_BROWSER_BYTES) throw new Error('The file is too large to draw its audio in a browser.')
  const bytes = await (await fetch(source)).arrayBuffer()
  const context = new OfflineAudioContext(2, 1, 48_000)
  const audio = await context.decodeAudioData(bytes)
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel))
  const curve = new AudioCurve(audio.sampleRate, channels.length)
  curve.add(channels)
  return { peaks: curve.peaks(BARS), loudness: curve.loudness(), seconds: audio.duration }
}

/** Waveform and loudness over time, as the worker read them, or as this browser reads them; press to go there. */
export function AudioCurves({
  file,
  source,
  size,
  playback,
  mayMake,
  view,
  duration,
  seek,
  className,
}: {
  file: File
  /** What is played of it, and its bytes. */
  source: string
  size: number
  playback: Playback | null
  /** Whether the viewer may have the worker read it. */
  mayMake: boolean
  view: View
  duration: number
  seek: (seconds: number) => void
  className?: string
}) {
  const isRead = isBeingMade(playback)
  const read = useQuery({
    queryKey: ['audio-curves', file.id],
    queryFn: () => audioOf(source, size),
    enabled: !isRead && !playback?.audio,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const make = useMakePlayback(file)
  const { error } = read
  const data = playback?.audio ?? read.data
  const seconds = duration || read.data?.seconds || 1
  const level = (lufs: number) => 100 - ((lufs - FLOOR_LUFS) / -FLOOR_LUFS) * 100
  const curve = data?.loudness
    .map((lufs, at) => `${((at + 0.5) / data.loudness.length) * 1000},${level(lufs)}`)
    .join(' ')
  return (
    <div
      data-image-of={file.id}
      className={cn('relative h-32 shrink-0 overflow-hidden border-t border-line bg-sunken', className)}
    >
      {data ? (
        <>
          <svg
            viewBox="0 0 1000 100"
            preserveAspectRatio="none"
            role="img"
            aria-label={`Waveform and loudness of ${file.name}; the loudest time has ${Math.max(FLOOR_LUFS, ...data.loudness).toFixed(1)} LUFS`}
            className="absolute inset-0 size-full"
          >
            <g className="fill-line-control">
              {barsOf(data.peaks).map((bar) => (
                <rect key={bar.x} {...bar} />
              ))}
            </g>
            <line
              x1={0}
              x2={1000}
              y1={level(TARGET_LUFS)}
              y2={level(TARGET_LUFS)}
              vectorEffect="non-scaling-stroke"
              strokeDasharray="4 4"
              className="stroke-pass-ink"
            />
            <polyline
              points={curve}
              fill="none"
              strokeWidth={1.75}
              vectorEffect="non-scaling-stroke"
              className="stroke-accent"
            />
          </svg>
          <span
            className="absolute right-1 text-2xs text-pass-ink"
            style={{ top: `calc(${level(TARGET_LUFS)}% + 1px)` }}
          >
            −23 LUFS
          </span>
          <span
            aria-hidden="true"
            className="absolute inset-y-0 w-px bg-fail"
            style={{ left: `${Math.min(100, (view.time / seconds) * 100)}%` }}
          />
          <button
            type="button"
            aria-label="Go to a time"
            tabIndex={-1}
            onClick={(event) => {
              const rect = event.currentTarget.getBoundingClientRect()
              seek(((event.clientX - rect.left) / rect.width) * seconds)
            }}
            className="absolute inset-0"
          />
        </>
      ) : (
        <p className="grid size-full place-items-center text-sm text-ink-muted">
          {error && !isRead ? (
            <span className="flex flex-wrap items-center justify-center gap-2">
              {`No waveform: ${playback?.failure ?? (error.message || 'this browser cannot read the audio.')}`}
              {mayMake && playback && (
                <Button size="sm" onClick={() => make.mutate()} loading={make.isPending}>
                  Draw it on the server
                </Button>
              )}
            </span>
          ) : (
            <span className="flex items-center gap-2 tabular-nums">
              <Spinner /> Reading the audio{isRead && playback?.progress ? `, ${playback.progress} %` : ''}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
