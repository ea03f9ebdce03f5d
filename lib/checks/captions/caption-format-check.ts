import { z } from 'zod'
import type { CaptionFormat } from '@/lib/media/facts'
import { fail, mediaCheck, pass } from '../check'
import { anyOf, count } from '../wording'
import { captionsOf, notCaptions } from './captions'

const FORMATS: Readonly<Record<CaptionFormat, string>> = {
  srt: 'SubRip (SRT)',
  webvtt: 'WebVTT',
  ttml: 'TTML',
  'ebu-stl': 'EBU STL',
}

export const captionFormatCheck = mediaCheck({
  id: 'caption_format_check',
  label: 'Caption file',
  kinds: ['other'],
  describe:
    'A file of captions or subtitles (SRT, WebVTT, TTML with IMSC and EBU-TT-D, EBU STL) keeps to the rules of its format from its first line to its last, so that every player shows the same: times, numbers, settings, encoding, no caption without text or without length. What cannot be read at all is refused as damaged.',
  severity: 'blocking',
  thresholds: z.strictObject({
    profiles: z.array(z.string()).default([]).meta({
      title: 'Allowed profiles of TTML',
      source: 'Reasoned: any unless set; streaming services ask for IMSC 1.1 Text (W3C, ttml-imsc1.1)',
    }),
  }),
  notFor: notCaptions,
  run({ media, name }, { profiles }) {
    const { format, cues, problems, problemCount, profile } = captionsOf(media)
    const is = `${FORMATS[format]}${profile ? ` (${profile})` : ''} with ${count(cues, 'caption')}`
    const again = `Export “${name}” from the subtitle program again as ${FORMATS[format]}, in UTF-8.`
    if (problemCount > 0) {
      const [first] = problems
      const where = first?.line ? ` in line ${first.line}` : ''
      return fail(
        `${is}: ${count(problemCount, 'place')} not as the format wants; the first${where}: ${first?.what ?? ''}.`,
        { measured: problemCount, expected: 0, fix: again },
      )
    }
    if (cues === 0)
      return fail(`The file is ${FORMATS[format]} and holds no caption.`, {
        measured: 0,
        expected: 'captions',
        fix: again,
      })
    if (format === 'ttml' && profiles.length > 0 && !profiles.includes(profile ?? '')) {
      return fail(
        `The file states ${profile ? `the profile ${profile}` : 'no profile'}; ${anyOf(profiles)} is wanted.`,
        {
          measured: profile ?? 'none',
          expected: anyOf(profiles),
          fix: `Export “${name}” as ${anyOf(profiles)}.`,
        },
      )
    }
    return pass(`${is}, as the format wants.`, { measured: 0, expected: 0 })
  },
})
