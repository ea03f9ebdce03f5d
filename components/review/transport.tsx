'use client'

import { Gauge, Pause, Play, StepBack, StepForward, Volume2, VolumeX } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { useState } from 'react'
import { Timeline } from '@/components/pre-qc/evidence-marks'
import { IconButton } from '@/components/ui/icon-button'
import { ProgressBar } from '@/components/ui/progress'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import type { Player } from './use-player'
import type { View } from './use-view'

/** Hours, minutes, seconds and frames, as cutting rooms count (without drop frames). */
export function smpte(seconds: number, rate: number): string {
  const frames = Math.max(0, Math.floor(seconds * rate + 0.001))
  const whole = Math.max(1, Math.round(rate))
  const two = (value: number) => String(value).padStart(2, '0')
  const total = Math.floor(frames / whole)
  return `${two(Math.floor(total / 3600))}:${two(Math.floor(total / 60) % 60)}:${two(total % 60)}:${two(frames % whole)}`
}

/** Play, step, scrub, and what was found and said on one line of time. */
export function Transport({
  player,
  media,
  view,
  checks,
  rate,
  made,
  children,
}: {
  player: Player
  media: RefObject<HTMLMediaElement | null>
  view: View
  checks: readonly CheckLine[]
  /** Frames a second. */
  rate: number
  /** Seconds up to which the copy that is played is made, while it is. */
  made?: number | undefined
  children?: ReactNode
}) {
  const [isMuted, setMuted] = useState(false)
  const { duration } = player
  const markers = view.marks.flatMap(({ number, comment }) =>
    comment.anchor && 'time' in comment.anchor && comment.anchor.time !== undefined
      ? [{ number, id: comment.id, body: comment.body, time: comment.anchor.time }]
      : [],
  )
  return (
    <div className="flex flex-col gap-1 border-t border-line bg-surface px-3 py-2">
      {markers.length > 0 && duration > 0 && (
        <ul aria-label="Comments in time" className="relative h-5">
          {markers.map(({ number, id, body, time }) => (
            <li key={id} className="absolute" style={{ left: `${Math.min(100, (time / duration) * 100)}%` }}>
              <button
                type="button"
                aria-label={`Comment ${number} at ${smpte(time, rate)}: ${body.slice(0, 80)}`}
                aria-pressed={view.selectedId === id}
                onClick={() => view.select(id)}
                className="grid size-5 -translate-x-1/2 place-items-center rounded-full bg-ink text-2xs font-semibold text-canvas aria-pressed:bg-accent aria-pressed:text-on-accent"
              >
                {number}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Timeline
        duration={duration || undefined}
        checks={checks.filter((check) => isProblem(check.status))}
        focus={view.focus}
        setFocus={view.setFocus}
      />
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={smpte(view.time, rate)}
        min={0}
        max={duration || 1}
        step={1 / rate}
        value={Math.min(view.time, duration || 1)}
        onChange={(event) => player.seek(Number(event.currentTarget.value))}
        className="h-5 w-full accent-accent"
      />
      {made !== undefined && duration > 0 && (
        <ProgressBar
          value={(made / duration) * 100}
          label="Playback copy made"
          valueText={`up to ${smpte(made, rate)} of ${smpte(duration, rate)}`}
        />
      )}
      <div className="flex flex-wrap items-center gap-1 max-sm:-mx-3 max-sm:px-3 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:[scrollbar-width:none] max-sm:[&>*]:shrink-0">
        <IconButton
          label={player.isPlaying ? 'Stop' : 'Play'}
          shortcut="Space"
          icon={player.isPlaying ? <Pause /> : <Play />}
          onClick={player.toggle}
        />
        <IconButton label="One frame back" shortcut="," icon={<StepBack />} onClick={() => player.step(-1)} />
        <IconButton label="One frame forward" shortcut="." icon={<StepForward />} onClick={() => player.step(1)} />
        <span className="px-1 font-mono text-xs tabular-nums">
          {smpte(view.time, rate)} <span className="text-ink-subtle">/ {smpte(duration, rate)}</span>
        </span>
        {player.speed !== 0 && player.speed !== 1 && (
          <span className="inline-flex items-center gap-1 text-xs text-ink-muted tabular-nums">
            <Gauge aria-hidden="true" className="size-3.5" />
            {player.speed > 0 ? '' : '−'}
            {Math.abs(player.speed)}×
          </span>
        )}
        <IconButton
          label={isMuted ? 'Audio on' : 'Audio off'}
          icon={isMuted ? <VolumeX /> : <Volume2 />}
          onClick={() => {
            if (media.current) media.current.muted = !isMuted
            setMuted(!isMuted)
          }}
        />
        <div className="ml-auto flex flex-wrap items-center gap-1 max-sm:flex-nowrap">{children}</div>
      </div>
    </div>
  )
}
