import { z } from 'zod'
import type { AudioStreamFacts } from '@/lib/media/facts'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameAudioCodec } from '../recipe'
import { anyOf, count } from '../wording'

const CHANNELS: Record<string, number> = { mono: 1, stereo: 2, '5.1': 6, '7.1': 8 }

/** The layout of a track: as it states it, else by its channels; 5.1 from the side or the back is 5.1. */
function layoutOf(stream: AudioStreamFacts): string {
  const stated = stream.channelLayout?.replace(/\((side|back)\)$/, '')
  if (stated && stated in CHANNELS) return stated
  const byCount = Object.keys(CHANNELS).find((layout) => CHANNELS[layout] === stream.channels && stream.channels <= 2)
  return byCount ?? stated ?? count(stream.channels, 'channel')
}

export const channelLayoutCheck = mediaCheck({
  id: 'channel_layout_check',
  label: 'Channel layout',
  kinds: ['video', 'audio'],
  describe: 'Mono, stereo or surround, as each audio track states it.',
  severity: 'blocking',
  thresholds: z.strictObject({
    layouts: z
      .array(z.enum(['mono', 'stereo', '5.1', '7.1']))
      .default([])
      .meta({
        title: 'Allowed layouts',
        source: 'Reasoned: any unless set; surround channels are ordered by ITU-R BS.775 and BS.2159',
      }),
  }),
  run({ media, name }, { layouts }) {
    if (media.audio.length === 0) return skip('The file has no audio track.')
    const found = media.audio.map(layoutOf)
    const each = [...new Set(found)].join(' and ')
    if (layouts.length === 0) return skip(`The audio is ${each}; no layout is set for this media category.`)
    const wanted = anyOf(layouts)
    const details = `The audio is ${each}; ${wanted} is wanted.`
    const extras = { measured: each, expected: wanted }
    const allowed: readonly string[] = layouts
    const wrong = found.flatMap((layout, index) => (allowed.includes(layout) ? [] : [{ stream: index }]))
    if (wrong.length === 0) return pass(details, extras)
    const target = layouts[0] ?? 'stereo'
    const widest = Math.max(...media.audio.map((stream) => stream.channels))
    const copy = media.kind === 'video' ? '-c:v copy ' : ''
    return fail(details, {
      ...extras,
      occurrences: wrong,
      fix:
        widest > (CHANNELS[target] ?? 0)
          ? `If a mixdown will do: ${ffmpeg(name, `${copy}-ac ${CHANNELS[target]}${sameAudioCodec(media.audio[0]?.codec)}`)}`
          : `Export “${name}” from the session as ${target}: channels cannot be made up from ${each}.`,
    })
  },
})
