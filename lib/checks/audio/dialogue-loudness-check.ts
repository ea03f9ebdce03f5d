import { z } from 'zod'
import type { Dialogue, TrackFacts } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { measuredConfidence } from '../confidence'
import { decimal } from '../wording'

/** LU, one standard deviation: how far off the dialogue of 120 mixes was measured in which it is known (decision 0122). */
const UNCERTAINTY = 0.4
/** Of a whole programme. */
const UNCERTAINTY_OF_ALL = 0.1
/** Share of 219 recordings of speech or music that were decided rightly by a fit to the others (decision 0122). */
const MOST = 0.97
/** LU, the step in which loudness is measured. */
const STEP = 0.005

const lufs = (value: number) => `${decimal(value, 1)} LUFS`
const percent = (value: number) => `${decimal(value, 1)} %`
const target = (title: string, source: string) =>
  z.number().nullable().default(null).meta({ title, unit: 'LUFS', source })

export const dialogueLoudnessCheck = mediaCheck({
  id: 'dialogue_loudness_check',
  label: 'Dialogue loudness',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'How loud the audio is where somebody speaks, as services of films and series ask for it: the mean over blocks of 400 ms by ITU-R BS.1770, without relative gate. Where somebody speaks is found by how speech is built: hisses between vowels, pauses between words, three to seven syllables a second, and levels that fall as fast as they rise. Speech is found over music that is 6 dB quieter and less. Singing without accompaniment counts as speech, and so may a single wind instrument. The first and last half second of each stretch of speech does not count. Where less than the least share of the track is dialogue, its whole programme is measured instead, if a loudness is set for that. In 5.1 and 7.1 speech is looked for in left, right and centre, and the loudness is that of all channels.',
  severity: 'advisory',
  confidence:
    'How likely the loudness is on the same side of the limit, with a standard deviation of 0.4 LU for dialogue and 0.1 for a whole programme, times how likely the stretches are what they were taken for; at most 0.97.',
  thresholds: z.strictObject({
    target_lufs: target(
      'Loudness of the dialogue',
      'Reasoned: none unless set. Netflix, Sound Mix Specifications v1.4: -27 LKFS; ATSC A/85:2013: -24 for the anchor element, usually dialogue',
    ),
    tolerance_lu: z.number().min(0).default(2).meta({
      title: 'Tolerance',
      unit: 'LU',
      source: 'Netflix, Sound Mix Specifications v1.4: ±2 LU; ATSC A/85:2013, 5.2: ±2 dB',
    }),
    least_percent: z.number().min(0).max(100).default(15).meta({
      title: 'Least share of dialogue for which its loudness counts',
      unit: '%',
      source: 'Netflix, Sound Mix Specifications v1.4: 15 %',
    }),
    otherwise_lufs: target(
      'Integrated loudness where there is less dialogue',
      'Reasoned: none unless set. Netflix, Sound Mix Specifications v1.4: -24 LKFS',
    ),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, measures: { audio } }, limits) {
    const tracks = audio.tracks.flatMap((track, stream) =>
      track.dialogue ? [{ ...askedOf(track, track.dialogue, limits), stream }] : [],
    )
    const [first] = tracks
    if (!first) return skip('Dialogue was not looked for when the audio was measured.')
    const [worst] = tracks
      .flatMap((asked) =>
        asked.measured === null || asked.wanted === null
          ? []
          : [{ ...asked, measured: asked.measured, wanted: asked.wanted, by: asked.wanted - asked.measured }],
      )
      .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
    if (!worst) return skip(whyNot(first, limits))
    const { measured, wanted, by, isDialogue, dialogue, stream } = worst
    const { tolerance_lu: tolerance, least_percent } = limits
    const share = percent(dialogue.share * 100)
    const is = isDialogue
      ? `The dialogue, ${share} of the audio, has ${lufs(measured)}`
      : `The audio has ${lufs(measured)} integrated`
    const where = isDialogue ? '' : ` where less than ${percent(least_percent)} is dialogue, here ${share}`
    const details = `${is}; ${lufs(wanted)} ± ${decimal(tolerance, 1)} LU is wanted${where}.`
    const likely = measuredConfidence(Math.abs(by), tolerance, isDialogue ? UNCERTAINTY : UNCERTAINTY_OF_ALL)
    const extras = {
      measured,
      expected: wanted,
      unit: 'LUFS',
      standard: 'ITU-R BS.1770-5',
      confidence: Math.round(100 * Math.min(MOST, dialogue.certainty * likely)) / 100,
    }
    if (Math.abs(by) <= tolerance + STEP) return pass(details, extras)
    return fail(details, {
      ...extras,
      occurrences: isDialogue ? dialogue.at.map((span) => ({ ...span, stream })) : [{ stream }],
      fix: `Mix “${name}” again with its ${isDialogue ? 'dialogue' : 'audio'} ${decimal(Math.abs(by), 1)} dB ${by > 0 ? 'louder' : 'quieter'}.`,
    })
  },
})

type Limits = {
  target_lufs: number | null
  tolerance_lu: number
  least_percent: number
  otherwise_lufs: number | null
}
type Asked = { dialogue: Dialogue; isDialogue: boolean; measured: number | null; wanted: number | null }

/** What of a track is compared with what; nulls where it has no loudness, or none is asked for. */
export function askedOf({ loudness }: TrackFacts, dialogue: Dialogue, limits: Limits): Asked {
  return dialogue.share * 100 >= limits.least_percent && dialogue.share > 0
    ? { dialogue, isDialogue: true, measured: dialogue.loudness, wanted: limits.target_lufs }
    : { dialogue, isDialogue: false, measured: loudness.integrated, wanted: limits.otherwise_lufs }
}

function whyNot({ dialogue, isDialogue, measured, wanted }: Asked, { target_lufs, least_percent }: Limits): string {
  const share = percent(dialogue.share * 100)
  if (wanted !== null) return 'The audio is too quiet or too short to have a loudness.'
  if (target_lufs === null) {
    const has = isDialogue && measured !== null ? ` and has ${lufs(measured)}` : ''
    return `${share} of the audio is dialogue${has}; no loudness of it is set for this media category.`
  }
  return `${share} of the audio is dialogue; its loudness counts from ${percent(least_percent)} on.`
}
