'use client'

import { type KeyboardEvent, type RefObject, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { isTypingTarget } from '@/lib/client/shortcut-sequence'
import { IN_FRONT, useShortcuts } from '@/lib/client/shortcuts'
import { seekListeners, type View } from './use-view'

/** J and L press again go faster: times the normal speed. */
const SPEEDS = [1, 2, 4, 8]
const BACKWARD_MS = 80

type MediaEvent = SyntheticEvent<HTMLMediaElement>

/**
 * A player of video or audio by the keys of cutting rooms: J backward, K stop, L forward, again for faster; comma and
 * full stop step a frame. With Shift they work everywhere in the room, without it while the player has the focus.
 *
 * @param made seconds up to which there is something to show, while the rest is being made
 */
export function usePlayer(
  media: RefObject<HTMLMediaElement | null>,
  view: View,
  frameSeconds: number,
  made = Number.POSITIVE_INFINITY,
) {
  const [isPlaying, setPlaying] = useState(false)
  const [duration, setDuration] = useState(0)
  const [speed, setSpeed] = useState(0)
  const backward = useRef<ReturnType<typeof setInterval>>(undefined)
  const { setTime, focus } = view
  const asked = useRef(view.time)

  const halt = () => {
    clearInterval(backward.current)
    backward.current = undefined
    media.current?.pause()
    setSpeed(0)
  }
  const seek = (seconds: number) => {
    const player = media.current
    if (!player) return
    // The last frame that is there, not the end of it, of which nothing could be shown.
    const end = Math.min(player.duration || seconds, made - frameSeconds / 2)
    player.currentTime = Math.min(end, Math.max(0, seconds))
    setTime(player.currentTime)
  }
  const shuttle = (direction: 1 | -1) => {
    const player = media.current
    if (!player) return
    const rate =
      SPEEDS[Math.min(SPEEDS.length - 1, speed * direction > 0 ? SPEEDS.indexOf(Math.abs(speed)) + 1 : 0)] ?? 1
    clearInterval(backward.current)
    backward.current = undefined
    setSpeed(rate * direction)
    if (direction > 0) {
      player.playbackRate = rate
      void player.play().catch(halt)
    } else {
      player.pause()
      // No browser plays backward: it is sought backward, as fast as it shows.
      backward.current = setInterval(() => {
        if (player.currentTime <= 0) halt()
        else if (!player.seeking) seek(player.currentTime - (rate * BACKWARD_MS) / 1000)
      }, BACKWARD_MS)
    }
  }
  const toggle = () => {
    if (isPlaying || speed !== 0) halt()
    else shuttle(1)
  }
  const step = (frames: number) => {
    halt()
    const player = media.current
    // To the middle of a frame, so that rounding never shows its neighbour.
    if (player) seek((Math.floor(player.currentTime / frameSeconds + 0.001) + frames + 0.5) * frameSeconds)
  }
  const press = (key: string): boolean => {
    const time = media.current?.currentTime ?? 0
    switch (key.length === 1 ? key.toLowerCase() : key) {
      case 'j':
        shuttle(-1)
        return true
      case 'k':
        halt()
        return true
      case 'l':
        shuttle(1)
        return true
      case ' ':
        toggle()
        return true
      case ',':
        step(-1)
        return true
      case '.':
        step(1)
        return true
      case 'ArrowLeft':
        seek(time - 1)
        return true
      case 'ArrowRight':
        seek(time + 1)
        return true
      default:
        return false
    }
  }

  const latest = useRef({ press, seek })
  latest.current = { press, seek }
  useEffect(() => {
    // Before the single keys of the room hear of it: there j and k go from file to file.
    function handle(event: globalThis.KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof HTMLElement ? event.target : null
      if (target && isTypingTarget({ tagName: target.tagName, isContentEditable: target.isContentEditable })) return
      if (target?.closest(IN_FRONT) || (event.key === ' ' && target?.closest('button,input'))) return
      const isShifted = event.shiftKey && /^[jkl]$/i.test(event.key)
      if ((isShifted || [' ', ',', '.'].includes(event.key)) && latest.current.press(event.key)) event.preventDefault()
    }
    window.addEventListener('keydown', handle, true)
    const go = (seconds: number) => latest.current.seek(seconds)
    seekListeners.add(go)
    return () => {
      window.removeEventListener('keydown', handle, true)
      seekListeners.delete(go)
      clearInterval(backward.current)
    }
  }, [])
  // The first file of a visit comes with the page, and may have reported all of this before the page was awake.
  useEffect(() => {
    const player = media.current
    if (!player) return
    if (player.readyState >= HTMLMediaElement.HAVE_METADATA) setDuration(player.duration)
    if (player.error) player.dispatchEvent(new Event('error'))
    // What the address names was chosen before the player was there.
    if (asked.current > 0) latest.current.seek(asked.current)
  }, [media])
  const start = focus?.occurrence?.start
  useEffect(() => {
    if (start !== undefined) {
      media.current?.pause()
      latest.current.seek(start)
    }
  }, [start, media])

  const help = () => undefined
  useShortcuts([
    { keys: 'Shift J', label: 'Backward, again for faster (J alone in the player)', group: 'Playing', run: help },
    { keys: 'Shift K', label: 'Stop', group: 'Playing', run: help },
    { keys: 'Shift L', label: 'Forward, again for faster', group: 'Playing', run: help },
    { keys: 'Space', label: 'Play or stop', group: 'Playing', run: help },
    { keys: ', .', label: 'One frame back or forward', group: 'Playing', run: help },
  ])

  return {
    isPlaying,
    duration,
    speed,
    toggle,
    halt,
    step,
    seek,
    shuttle,
    /** For the element that plays. */
    events: {
      onPlay: () => setPlaying(true),
      onPause: () => setPlaying(false),
      onEnded: () => setSpeed(0),
      // By the element that says so: a part of the page that is hidden for a moment has no refs meanwhile.
      onTimeUpdate: ({ currentTarget }: MediaEvent) => setTime(currentTarget.currentTime),
      onSeeked: ({ currentTarget }: MediaEvent) => setTime(currentTarget.currentTime),
      onLoadedMetadata: ({ currentTarget }: MediaEvent) => setDuration(currentTarget.duration || 0),
      onDurationChange: ({ currentTarget }: MediaEvent) => setDuration(currentTarget.duration || 0),
    },
    /** For the frame around it, which can have the focus. */
    keys: {
      tabIndex: 0,
      onKeyDown(event: KeyboardEvent) {
        // What works everywhere in the room was heard before.
        if (event.defaultPrevented) return
        if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
        if (press(event.key)) event.preventDefault()
      },
    },
  }
}

export type Player = ReturnType<typeof usePlayer>
