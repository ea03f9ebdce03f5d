import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants'
import { avChannelLayoutDescribe, Codec, type FormatContext, type Stream } from 'node-av/lib'
import type { ChannelPair } from '@/lib/domain/playback/port'

/** Streams of audio, of which one copy is made; `choice`: which channels of a single one are heard, null: all, as laid out. */
export type Heard = { streams: readonly Stream[]; choice: readonly [left: number, right: number] | null }

/** Channels by the layouts that FFmpeg names, in its order, which is that of ITU-R BS.2051 and SMPTE ST 2067-8. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  stereo: ['L', 'R'],
  '2.1': ['L', 'R', 'LFE'],
  '3.0': ['L', 'R', 'C'],
  quad: ['L', 'R', 'Ls', 'Rs'],
  '5.0': ['L', 'R', 'C', 'Ls', 'Rs'],
  '5.0(side)': ['L', 'R', 'C', 'Ls', 'Rs'],
  '5.1': ['L', 'R', 'C', 'LFE', 'Ls', 'Rs'],
  '5.1(side)': ['L', 'R', 'C', 'LFE', 'Ls', 'Rs'],
  '7.1': ['L', 'R', 'C', 'LFE', 'Lrs', 'Rrs', 'Lss', 'Rss'],
}

/** The only channel of a stream, whatever its layout says. */
const MONO = ['mono']

const decodable = ({ streams }: FormatContext) =>
  streams.filter(
    ({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO && Codec.findDecoder(codecpar.codecId) !== null,
  )

const areTwoMonos = (one: Stream | undefined, two: Stream | undefined) =>
  [one, two].every((each) => each?.codecpar.channels === 1 && each.codecpar.sampleRate === one?.codecpar.sampleRate)

/** What is heard at first: the first stream of audio; the first two where each holds one channel, as masters for broadcast do. */
export function mixOf(input: FormatContext): Heard | null {
  const [one, two] = decodable(input)
  if (!one) return null
  return { streams: areTwoMonos(one, two) && two ? [one, two] : [one], choice: null }
}

/** Each two channels of a file that has more than two: those of a stream, or two streams that hold one each. */
export function pairsOf(input: FormatContext): (Heard & ChannelPair)[] {
  const all = decodable(input)
  if (all.reduce((sum, { codecpar }) => sum + codecpar.channels, 0) <= 2) return []
  const pairs: (Heard & ChannelPair)[] = []
  for (let index = 0; index < all.length; index++) {
    const [one, two] = [all[index], all[index + 1]]
    if (!one) continue
    const { channels } = one.codecpar
    const names = channels === 1 ? MONO : NAMES[avChannelLayoutDescribe(one.codecpar.channelLayout) ?? '']
    const named = (channel: number) => ({ track: index + 1, name: names?.[channel] ?? String(channel + 1) })
    if (two && areTwoMonos(one, two)) {
      pairs.push({ streams: [one, two], choice: null, channels: [named(0), { ...named(0), track: index + 2 }] })
      index += 1
      continue
    }
    for (let left = 0; left < channels; left += 2) {
      const isLone = left + 1 === channels
      pairs.push({
        streams: [one],
        choice: [left, isLone ? left : left + 1],
        channels: isLone ? [named(left)] : [named(left), named(left + 1)],
      })
    }
  }
  return pairs
}
