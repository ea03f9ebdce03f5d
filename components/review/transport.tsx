'use client'

import { Gauge, Pause, Play, StepBack, StepForward, Volume2, VolumeX } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { Timeline } from '@/components/pre-qc/evidence-marks'
import { IconButton } from '@/components/ui/icon-button'
import { ProgressBar } from '@/components/ui/progress'
import type { Playback } from '@/lib/domain/playback/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { timecodeAt } from '@/lib/timecode'
import { ChannelChoice, HeardChannels, heardOf, WHOLE } from './channel-choice'
import type { Player } from './use-player'
import type { View } from './use-view'

/** Play, step, scrub, and what was found and said on one line of time. */
export function Transport({
  player,
  media,
  view,
  checks,
  rate,
  start,
  made,
  playback,
  children,
}: {
  player: Player
  media: RefObject<HTMLMediaElement | null>
  view: View
  checks: readonly CheckLine[]
  /** Frames a second. */
  rate: number
  /** The timecode of the first frame, as the file states it; null: it carries none. */
  start: string | null
  /** Seconds up to which the copy that is played is made, while it is. */
  made?: number | undefined
  /** What was read of the file: of more than two channels, single ones are heard. */
  playback: Playback | null
  children?: ReactNode
}) {
  const [isMuted, setMuted] = useState(false)
  const [chosen, setChosen] = useState(WHOLE)
  const { duration } = player
  const code = (seconds: number) => timecodeAt(seconds, rate, start)
  const pairs = playback?.audio?.pairs ?? []
  const heard = heardOf(pairs, chosen)
  const isSilent = isMuted || heard !== null
  useEffect(() => {
    if (media.current) media.current.muted = isSilent
  }, [media, isSilent])
  const markers = view.marks.flatMap(({ number, comment }) =>
    comment.anchor && 'time' in comment.anchor && comment.anchor.time !== undefined
      ? [
          {
            number,
            id: comment.id,
            body: comment.body,
            time: comment.anchor.time,
            end: ('end' in comment.anchor && comment.anchor.end) || comment.anchor.time,
          },
        ]
      : [],
  )
  return (
    <div className="flex flex-col gap-1 border-t border-line bg-surface px-3 py-2">
      {markers.length > 0 && duration > 0 && (
        <ul aria-label="Comments in time" className="relative h-5">
          {markers.map(({ number, id, body, time, end }) => (
            <li
              key={id}
              className="absolute"
              style={{
                left: `${Math.min(100, (time / duration) * 100)}%`,
                width: `${(Math.min(end, duration) - Math.min(time, duration)) * (100 / duration)}%`,
              }}
            >
              {end > time && (
                <span aria-hidden="true" className="absolute inset-x-0 top-2 h-1 rounded-full bg-line-control" />
              )}
              <button
                type="button"
                aria-label={`Comment ${number} at ${code(time)}${end > time ? ` to ${code(end)}` : ''}: ${body.slice(0, 80)}`}
                aria-pressed={view.selectedId === id}
                onClick={() => view.select(id)}
                className="relative grid size-5 -translate-x-1/2 place-items-center rounded-full bg-ink text-2xs font-semibold text-canvas aria-pressed:bg-accent aria-pressed:text-on-accent"
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
        aria-valuetext={code(view.time)}
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
          valueText={`up to ${code(made)} of ${code(duration)}`}
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
          {code(view.time)} <span className="text-ink-subtle">/ {code(duration)}</span>
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
          onClick={() => setMuted(!isMuted)}
        />
        {pairs.length > 0 && <ChannelChoice pairs={pairs} chosen={chosen} choose={setChosen} />}
        {heard && <HeardChannels key={heard.url} media={media} heard={heard} isMuted={isMuted} />}
        <div className="ml-auto flex flex-wrap items-center gap-1 max-sm:flex-nowrap">{children}</div>
      </div>
    </div>
  )
}
