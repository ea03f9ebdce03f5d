'use client'

import { type RefObject, useEffect, useRef } from 'react'
import { playedPath } from '@/components/files/use-playback'
import { Select } from '@/components/ui/select'
import type { Playback } from '@/lib/domain/playback/schema'
import { keepTogether } from './compare-videos'

type ChannelPair = NonNullable<Playback['audio']>['pairs'][number]
/** `side`: which channel of the file is heard, on both sides; null: both, each on its own. */
type Heard = { url: string; side: 0 | 1 | null }

/** What is heard with the file as it is played. */
export const WHOLE = 'whole'

const nameOf = ({ track, name }: ChannelPair['channels'][number]) =>
  name === 'mono' ? `Track ${track}` : `Track ${track}: ${/^\d/.test(name) ? `channel ${name}` : name}`

/** Two of one track as “Track 1: L and R”, of two tracks as “Track 2 and track 3”. */
function pairName([one, two]: ChannelPair['channels']): string {
  if (!one) return ''
  if (!two) return nameOf(one)
  return one.track === two.track ? `${nameOf(one)} and ${two.name}` : `${nameOf(one)} and ${nameOf(two).toLowerCase()}`
}

const SIDES = [0, 1] as const

const optionsOf = (pairs: readonly ChannelPair[]) => [
  { value: WHOLE, label: 'All channels' },
  ...pairs.flatMap(({ channels }, number) => [
    { value: `${number}`, label: pairName(channels) },
    ...(channels.length === 2
      ? SIDES.flatMap((side) => {
          const channel = channels[side]
          return channel ? [{ value: `${number}.${side}`, label: nameOf(channel) }] : []
        })
      : []),
  ]),
]

/** The channels of a choice; null: the file as it is played. */
export function heardOf(pairs: readonly ChannelPair[], chosen: string): Heard | null {
  const [number, side] = chosen.split('.')
  const pair = chosen === WHOLE ? undefined : pairs[Number(number)]
  return pair ? { url: playedPath(pair.url), side: side === undefined ? null : side === '0' ? 0 : 1 } : null
}

/** Which channels of the original are heard, of a file that has more than two. */
export function ChannelChoice({
  pairs,
  chosen,
  choose,
}: {
  pairs: readonly ChannelPair[]
  chosen: string
  choose: (chosen: string) => void
}) {
  return (
    <Select
      aria-label="Audio channels"
      size="sm"
      className="w-40"
      options={optionsOf(pairs)}
      value={chosen}
      onValueChange={choose}
    />
  )
}

/** Plays channels in place of the audio of `media`, at its time and speed. */
export function HeardChannels({
  media,
  heard,
  isMuted,
}: {
  media: RefObject<HTMLMediaElement | null>
  heard: Heard
  isMuted: boolean
}) {
  const audio = useRef<HTMLAudioElement>(null)
  const { side } = heard
  useEffect(() => {
    let frame = 0
    const follow = () => {
      const [lead, own] = [media.current, audio.current]
      if (lead && own) {
        if (own.playbackRate !== lead.playbackRate) own.playbackRate = lead.playbackRate
        if (own.readyState > 0) keepTogether(lead, own)
      }
      frame = requestAnimationFrame(follow)
    }
    frame = requestAnimationFrame(follow)
    return () => cancelAnimationFrame(frame)
  }, [media])
  const context = useRef<{ context: AudioContext; source: MediaElementAudioSourceNode }>(undefined)
  useEffect(() => {
    if (side === null || !audio.current) return
    // An element can be given to one context only: it stays there, also when both channels are heard again.
    context.current ??= sourceOf(audio.current)
    const { context: mixer, source } = context.current
    const splitter = mixer.createChannelSplitter(2)
    source.disconnect()
    source.connect(splitter).connect(mixer.destination, side)
    void mixer.resume()
    return () => {
      source.disconnect()
      source.connect(mixer.destination)
    }
  }, [side])
  useEffect(() => () => void context.current?.context.close(), [])
  return (
    <audio
      ref={audio}
      src={heard.url}
      // A script mixes it: it may not come from another origin unasked.
      crossOrigin="anonymous"
      preload="auto"
      muted={isMuted}
      data-channels={side ?? 'both'}
    />
  )
}

function sourceOf(element: HTMLAudioElement) {
  const context = new AudioContext()
  return { context, source: context.createMediaElementSource(element) }
}
