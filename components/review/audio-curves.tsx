'use client'

import { useQuery } from '@tanstack/react-query'
import { cn } from '@/components/ui/cn'
import { Spinner } from '@/components/ui/spinner'
import { FLOOR_LUFS, momentaryLoudness, peaksOf } from '@/lib/client/loudness'
import type { File } from '@/lib/domain/files/schema'
import type { View } from './use-view'

const BARS = 480
/** Decoded audio is large: 100 MB of video is about what a tab should take in. */
const MOST_BYTES = 150_000_000
/** EBU R 128: the level programmes are brought to, the line to search for. */
const TARGET_LUFS = -23

async function audioOf(source: string, size: number) {
  if (size > MOST_BYTES) throw new Error('The file is too large to draw its audio here.')
  const bytes = await (await fetch(source)).arrayBuffer()
  const context = new OfflineAudioContext(2, 1, 48_000)
  const audio = await context.decodeAudioData(bytes)
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel))
  return {
    peaks: peaksOf(channels, BARS),
    loudness: momentaryLoudness(channels, audio.sampleRate),
    seconds: audio.duration,
  }
}

/** Waveform and loudness over time; press to go there. */
export function AudioCurves({
  file,
  source,
  size,
  view,
  duration,
  seek,
  className,
}: {
  file: File
  /** What is played of it, and its bytes. */
  source: string
  size: number
  view: View
  duration: number
  seek: (seconds: number) => void
  className?: string
}) {
  const { data, error } = useQuery({
    queryKey: ['audio-curves', file.id],
    queryFn: () => audioOf(source, size),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const seconds = duration || data?.seconds || 1
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
              {data.peaks.map((peak, bar) => {
                const tall = Math.max(0.6, peak * 96)
                // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                return <rect key={bar} x={(bar / BARS) * 1000} y={50 - tall / 2} width={1.4} height={tall} />
              })}
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
          {error ? (
            `No waveform: ${error instanceof Error && error.message ? error.message : 'this browser cannot read the audio.'}`
          ) : (
            <span className="flex items-center gap-2">
              <Spinner /> Reading the audio
            </span>
          )}
        </p>
      )}
    </div>
  )
}
