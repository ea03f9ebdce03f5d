'use client'

import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { smpte } from './transport'

/** Further apart than this, the one that follows is set to the time of the other: a frame and a half at 25. */
const APART = 0.06

/** Two videos as one: played, stopped and sought together. The first leads, the second follows. */
export function VideoPairControls({
  leader,
  follower,
  rate,
}: {
  leader: RefObject<HTMLVideoElement | null>
  follower: RefObject<HTMLVideoElement | null>
  /** Frames a second. */
  rate: number
}) {
  const [time, setTime] = useState(0)
  const [duration, setDuration] = useState(0)
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    const lead = leader.current
    if (!lead) return
    let frame = 0
    const follow = () => {
      const other = follower.current
      setTime(lead.currentTime)
      setDuration(lead.duration || 0)
      setPlaying(!lead.paused)
      if (other && Math.abs(other.currentTime - lead.currentTime) > APART && !other.seeking) {
        other.currentTime = Math.min(lead.currentTime, other.duration || lead.currentTime)
      }
      frame = requestAnimationFrame(follow)
    }
    frame = requestAnimationFrame(follow)
    return () => cancelAnimationFrame(frame)
  }, [leader, follower])
  const seek = (seconds: number) => {
    for (const video of [leader.current, follower.current]) {
      if (video) video.currentTime = Math.min(video.duration || seconds, Math.max(0, seconds))
    }
  }
  const toggle = () => {
    for (const video of [leader.current, follower.current]) {
      if (isPlaying) video?.pause()
      else void video?.play().catch(() => undefined)
    }
  }
  return (
    <div className="flex items-center gap-1 border-t border-line bg-surface px-3 py-1.5">
      <IconButton label={isPlaying ? 'Stop' : 'Play both'} icon={isPlaying ? <Pause /> : <Play />} onClick={toggle} />
      <IconButton label="One frame back" icon={<StepBack />} onClick={() => seek(time - 1 / rate)} />
      <IconButton label="One frame forward" icon={<StepForward />} onClick={() => seek(time + 1 / rate)} />
      <input
        type="range"
        aria-label="Position in both versions"
        aria-valuetext={smpte(time, rate)}
        min={0}
        max={duration || 1}
        step={1 / rate}
        value={Math.min(time, duration || 1)}
        onChange={(event) => seek(Number(event.currentTarget.value))}
        className="h-5 min-w-0 flex-1 accent-accent"
      />
      <span className="font-mono text-xs tabular-nums">{smpte(time, rate)}</span>
    </div>
  )
}
