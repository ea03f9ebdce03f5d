import { z } from 'zod'
import type { ChannelContent } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { ratioConfidence } from '../confidence'
import { filterAudio } from '../recipe'

/** Quieter ones say nothing, dBFS. */
const LEAST_DB = -50
/** The effects channel ends at 120 Hz; a soft end and noise raise the mean. Voices and music measure 350 and more. */
const LOW_HERTZ = 200
const FULL_HERTZ = 300
/** Doublings: voices, music and noise of rooms measure 350 to 1,400 Hz, effects 40 to 120 (labelled set). */
const UNCERTAINTY = 0.5
/** Means of channels that hold the same, as a ratio. */
const ALIKE = 1.1
/** Of a channel that holds lower frequencies than the effects, whose coding leaves of any audio what lies below 120 Hz. */
const LOWER = 0.75
/** L R C LFE …, of 5.1 and 7.1 alike. */
const LFE = 3

type Order = { channels: readonly ChannelContent[]; isStated: boolean; isLossy: boolean }

const isHeard = ({ levelDb, meanHertz }: ChannelContent) =>
  meanHertz !== null && levelDb !== null && levelDb >= LEAST_DB
const isLow = (channel: ChannelContent) => isHeard(channel) && (channel.meanHertz ?? 0) <= LOW_HERTZ
const isFull = (channel: ChannelContent) => isHeard(channel) && (channel.meanHertz ?? 0) >= FULL_HERTZ

export const channelOrderCheck = mediaCheck({
  id: 'channel_order_check',
  label: 'Channel order',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'The channels of 5.1 and 7.1 lie where the layout has them, by what they hold: the fourth, for low-frequency effects, holds low frequencies only (a mean of up to 200 Hz, weighted by energy), and no other channel does while the fourth holds all frequencies (a mean from 300 Hz on). So a mix in film order (L C R Ls Rs LFE) under the name of L R C LFE Ls Rs is found. AAC and AC-3 cut whatever lies in the fourth channel to low frequencies: where the coding is lossy, one other channel with low frequencies only, a quarter lower than those of the fourth, is found instead. Where the fourth channel is quieter than -50 dBFS, or all channels hold the same frequencies, as a test tone on each does, nothing is said.',
  severity: 'advisory',
  confidence:
    'How likely the mean frequency of the fourth channel is on the same side of 300 Hz, with a standard deviation of half a doubling, as content of one kind differs: 0.5 there, 0.92 at 180 Hz and at 490, 0.98 at half and at double. A fail: at most 0.85 where no other channel shows where the low frequencies are, and where the coding has cut the fourth channel; 0.7 where the file states no layout.',
  thresholds: z.strictObject({}),
  notFor: (media) =>
    media.audio.some(({ channels }) => channels === 6 || channels === 8)
      ? null
      : 'The file has no track in 5.1 or 7.1.',
  run({ media, name, measures: { audio } }) {
    const tracks = audio.tracks.flatMap(({ contents }, stream) => {
      const layout = media.audio[stream]?.channelLayout ?? null
      const isStated = /^[57]\.1\b/.test(layout ?? '')
      if (!contents || !(isStated || layout === null || /^\d+ channels$/.test(layout))) return []
      return [{ channels: contents, isStated, isLossy: media.audio[stream]?.bitDepth === null, stream }]
    })
    const heard = tracks.filter(({ channels }) => isHeard(channels[LFE] ?? NOTHING))
    if (heard.length === 0) return skip('No track in 5.1 or 7.1 has anything in its fourth channel.')
    const full = heard.find(({ channels }) => isFull(channels[LFE] ?? NOTHING))
    const odd = full ?? heard.find(hasLowerThanEffects)
    const hertz = (index: number) => `${(odd ?? heard[0])?.channels[index]?.meanHertz} Hz`
    if (!odd) {
      return pass(`Channel 4, for low-frequency effects, holds low frequencies (${hertz(LFE)} on the average).`, {
        confidence: Math.min(...heard.map(sureOf)),
      })
    }
    if (full && areAlike(odd)) return skip('All channels hold the same frequencies, as a test tone on each does.')
    const low = onlyLow(odd)
    const stated = odd.isStated ? 'for low-frequency effects' : 'where low-frequency effects are by ITU-R BS.775'
    const place = low === null ? '' : `; the low frequencies are in channel ${low + 1} (${hertz(low)})`
    const found =
      full || low === null
        ? `Channel 4, ${stated}, holds all frequencies (${hertz(LFE)} on the average)${place}`
        : `Channel ${low + 1} holds lower frequencies (${hertz(low)} on the average) than channel 4, ${stated} (${hertz(LFE)}), and nothing else`
    return fail(
      `${found}: the channels are not in the order L R C LFE${odd.channels.length === 6 ? ' Ls Rs' : ' and surrounds'}.`,
      {
        measured: low === null ? 'all frequencies in channel 4' : `low frequencies in channel ${low + 1}`,
        expected: 'low frequencies in channel 4',
        standard: 'ITU-R BS.775-4 and SMPTE ST 320, order of 5.1',
        confidence: Math.min(sureOf(odd), odd.isStated ? (full && low !== null ? 1 : 0.85) : 0.7),
        occurrences: [{ stream: odd.stream }],
        fix:
          low === 5 && odd.channels.length === 6
            ? `Export “${name}” with its channels in the order L R C LFE Ls Rs. If it is in film order: ${filterAudio(name, '"pan=5.1|c0=c0|c1=c2|c2=c1|c3=c5|c4=c3|c5=c4"', media, odd.stream)}`
            : `Export “${name}” with its channels in the order L R C LFE and surrounds, effects alone in the fourth, below 120 Hz.`,
      },
    )
  },
})

const sureOf = ({ channels }: Order) => ratioConfidence(channels[LFE]?.meanHertz ?? 0, FULL_HERTZ, UNCERTAINTY)

const NOTHING: ChannelContent = { levelDb: null, meanHertz: null }

/** The one channel beside the fourth that holds low frequencies only, as an index; null when there is none, or more than one. */
function onlyLow({ channels }: Order): number | null {
  const low = channels.flatMap((channel, index) => (index !== LFE && isLow(channel) ? [index] : []))
  return low.length === 1 ? (low[0] ?? null) : null
}

/** Whether that channel of a lossy track holds lower frequencies than the fourth. */
function hasLowerThanEffects(order: Order): boolean {
  const low = onlyLow(order)
  const hertz = (index: number) => order.channels[index]?.meanHertz ?? 0
  return order.isLossy && low !== null && hertz(low) <= LOWER * hertz(LFE)
}

function areAlike({ channels }: Order): boolean {
  const means = channels.filter(isHeard).map(({ meanHertz }) => meanHertz ?? 0)
  return Math.max(...means) <= Math.min(...means) * ALIKE
}
