'use client'

import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { timecodeAt } from '@/lib/timecode'

/** Further apart than this, those that follow are set to the time of the first: a frame and a half at 25. */
const APART = 0.06

/** Videos as one: played, stopped and sought together. `leader`: the id of the one whose time the others follow. */
export function CompareTransport({
  leader,
  players,
  rate,
  start,
}: {
  leader: string
  players: RefObject<Map<string, HTMLVideoElement>>
  /** Frames a second. */
  rate: number
  /** The timecode of its first frame; null: it carries none. */
  start: string | null
}) {
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    let frame = 0
    const follow = () => {
      const lead = players.current.get(leader)
      if (lead) {
        setTime(lead.currentTime)
        setDuration(lead.duration || 0)
        setPlaying(!lead.paused)
        for (const [id, other] of players.current) if (id !== leader) keepTogether(lead, other)
      }
      frame = requestAnimationFrame(follow)
    }
    frame = requestAnimationFrame(follow)
    return () => cancelAnimationFrame(frame)
  }, [leader, players])
  const seek = (seconds: number) => {
    for (const video of players.current.values())
      video.currentTime = Math.min(video.duration || seconds, Math.max(0, seconds))
  }
  const toggle = () => {
    for (const video of players.current.values()) {
      if (isPlaying) video.pause()
      else void video.play().catch(() => undefined)
    }
  }
  return (
    <div className="flex items-center gap-1 border-t border-line bg-surface px-3 py-1.5">
      <IconButton label={isPlaying ? 'Stop' : 'Play all'} icon={isPlaying ? <Pause /> : <Play />} onClick={toggle} />
      <IconButton label="One frame back" icon={<StepBack />} onClick={() => seek(time - 1 / rate)} />
      <IconButton label="One frame forward" icon={<StepForward />} onClick={() => seek(time + 1 / rate)} />
      <input
        type="range"
        aria-label="Position in all of them"
        aria-valuetext={timecodeAt(time, rate, start)}
        min={0}
        max={duration || 1}
        step={1 / rate}
        value={Math.min(time, duration || 1)}
        onChange={(event) => seek(Number(event.currentTarget.value))}
        className="h-5 min-w-0 flex-1 accent-accent"
      />
      <span className="font-mono text-xs tabular-nums">{timecodeAt(time, rate, start)}</span>
    </div>
  )
}

/** Brings one to the time of the other; one that is shorter stands at its end. */
export function keepTogether(lead: HTMLMediaElement, other: HTMLMediaElement) {
  const wanted = Math.min(lead.currentTime, other.duration || lead.currentTime)
  if (Math.abs(other.currentTime - wanted) > APART && !other.seeking) other.currentTime = wanted
  if (!lead.paused && other.paused && !other.ended && wanted < (other.duration || 0))
    void other.play().catch(() => undefined)
  if (lead.paused && !other.paused) other.pause()
}
