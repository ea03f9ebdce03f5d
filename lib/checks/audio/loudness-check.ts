import { z } from 'zod'
import type { TrackFacts } from '@/lib/media/measurements'
import { fail, mediaCheck, pass, skip } from '../check'
import { ffmpeg, sameAudioCodec } from '../recipe'
import { decimal } from '../wording'

const lufs = (value: number) => `${decimal(value, 1)} LUFS`
const bound = (title: string, unit: string, source: string) =>
  z.number().nullable().default(null).meta({ title, unit, source })

export const loudnessCheck = mediaCheck({
  id: 'loudness_check',
  label: 'Loudness',
  kinds: ['video', 'audio'],
  needs: ['audio'],
  describe:
    'Integrated loudness, true peak, loudness range and the loudest three seconds, measured as ITU-R BS.1770-5 and EBU Tech 3342 say, with absolute and relative gate. They are of the whole programme; the loudness of its dialogue alone is in dialogue_loudness_check.',
  severity: 'advisory',
  confidence: '0.95: measured to ±0.1 LU and ±0.3 dB of true peak; below a tenth of a LU from the limit 0.7.',
  thresholds: z.strictObject({
    target_lufs: bound(
      'Integrated loudness',
      'LUFS',
      'Reasoned: none unless set. EBU R 128 (2023): -23; ATSC A/85:2013: -24 LKFS; music and social platforms: about -14',
    ),
    tolerance_lu: z.number().min(0).default(0.5).meta({
      title: 'Tolerance',
      unit: 'LU',
      source: 'EBU R 128 (2023): ±0.5 LU, ±1.0 LU for live; ATSC A/85:2013, 5.2: ±2 dB',
    }),
    max_true_peak_dbtp: z.number().nullable().default(-1).meta({
      title: 'Highest true peak',
      unit: 'dBTP',
      source: 'EBU R 128 (2023): -1 dBTP; ATSC A/85:2013: -2 dBTP',
    }),
    max_short_term_lufs: bound(
      'Loudest three seconds',
      'LUFS',
      'EBU R 128 s1 (2020): -18 for advertisements and promos. None unless set',
    ),
    max_range_lu: bound('Largest loudness range', 'LU', 'Reasoned: none unless set; EBU Tech 3342, not for short form'),
  }),
  notFor: (media) => (media.audio.length === 0 ? 'The file has no audio track.' : null),
  run({ name, media, measures: { audio } }, limits) {
    const faults = audio.tracks.map((track) => faultsOf(track, limits))
    const index = Math.max(
      0,
      faults.findIndex((list) => list.length > 0),
    )
    const track = audio.tracks[index]
    if (!track) return { failed: 'its audio was not measured' }
    const { integrated, truePeak } = track.loudness
    if (integrated === null) return skip('The audio is too quiet or too short to have a loudness.')
    const wanted = limits.target_lufs ?? limits.max_true_peak_dbtp
    const extras = {
      measured: limits.target_lufs === null && truePeak !== null ? truePeak : integrated,
      unit: limits.target_lufs === null ? 'dBTP' : 'LUFS',
      ...(wanted !== null && { expected: wanted }),
      standard: 'ITU-R BS.1770-5; EBU R 128',
    }
    const is = `The audio has ${lufs(integrated)} integrated${truePeak === null ? '' : ` and a true peak of ${decimal(truePeak, 1)} dBTP`}`
    const found = faults[index] ?? []
    if (found.length === 0) return pass(`${is}, as wanted.`, { ...extras, confidence: 0.95 })
    const target = limits.target_lufs ?? integrated
    const peak = limits.max_true_peak_dbtp ?? -1
    const copy = media.kind === 'video' ? ' -c:v copy' : ''
    return fail(`${is}; ${found.map(({ what }) => what).join('; ')}.`, {
      ...extras,
      confidence: Math.max(...found.map(({ by }) => (by < 0.1 ? 0.7 : 0.95))),
      occurrences: [{ start: 0, end: track.durationSeconds, stream: index }],
      fix: ffmpeg(
        name,
        `-af loudnorm=I=${decimal(Math.min(-5, Math.max(-70, target)), 1)}:TP=${decimal(Math.min(0, peak) - 0.5, 1)}:LRA=${decimal(Math.min(50, Math.max(1, limits.max_range_lu ?? 11)), 1)}${copy} -ar ${media.audio[0]?.sampleRate ?? 48_000}${sameAudioCodec(media.audio[0]?.codec)}`,
      ),
    })
  },
})

type Limits = {
  target_lufs: number | null
  tolerance_lu: number
  max_true_peak_dbtp: number | null
  max_short_term_lufs: number | null
  max_range_lu: number | null
}

/** What is not as wanted, and by how much. */
function faultsOf({ loudness }: TrackFacts, limits: Limits): { what: string; by: number }[] {
  const faults: { what: string; by: number }[] = []
  const most = (value: number | null, limit: number | null, say: (value: string, limit: string) => string) => {
    if (value !== null && limit !== null && value > limit + 0.005) {
      faults.push({ what: say(decimal(value, 1), decimal(limit, 1)), by: value - limit })
    }
  }
  const { target_lufs: target, tolerance_lu: tolerance } = limits
  if (target !== null && loudness.integrated !== null) {
    const by = Math.abs(loudness.integrated - target) - tolerance
    if (by > 0.005) faults.push({ what: `${lufs(target)} ± ${decimal(tolerance, 1)} LU is wanted`, by })
  }
  most(loudness.truePeak, limits.max_true_peak_dbtp, (_, limit) => `a true peak of at most ${limit} dBTP is wanted`)
  most(
    loudness.maxShortTerm,
    limits.max_short_term_lufs,
    (is, limit) => `the loudest three seconds have ${is} LUFS, at most ${limit} is wanted`,
  )
  most(loudness.range, limits.max_range_lu, (is, limit) => `the loudness range is ${is} LU, at most ${limit} is wanted`)
  return faults
}
