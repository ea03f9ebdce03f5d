import { writeFileSync } from 'node:fs'
import { wav as encodeWav, type Sample } from '@/fixtures/audio'
import { type AudioTrack, writeMedia } from '@/fixtures/video'
import { bad, filesOf, good, type Labelled } from './labelled'

const RATE = 48_000
const decibels = (value: number) => 10 ** (value / 20)
export const sine = (time: number, hertz = 997, phase = 0) => Math.sin(2 * Math.PI * hertz * time + phase)

const wav =
  (seconds: number, sample: Sample, options: Parameters<typeof encodeWav>[2] = {}) =>
  (file: string) =>
    writeFileSync(file, encodeWav(seconds, sample, options))
const coded = (track: AudioTrack) => (file: string) => writeMedia(file, { audio: [track] })
const label = (isFaulty: boolean) => (isFaulty ? bad : good)

/** EBU Tech 3341, signals 1 to 4: a stereo sine of 1 kHz at x dBFS has x LUFS; stretches at other levels try the gates. */
function loudness(): Labelled[] {
  const level = (lufs: number) => wav(6, (time) => decibels(lufs) * sine(time, 1000))
  const steps = (...parts: (readonly [level: number, seconds: number])[]) =>
    wav(
      parts.reduce((sum, [, seconds]) => sum + seconds, 0),
      (time) => {
        let end = 0
        const part = parts.find(([, seconds]) => {
          end += seconds
          return time < end
        })
        return decibels(part?.[0] ?? -120) * sine(time, 1000)
      },
    )
  // A sine at a quarter of the rate, 45° off: its samples lie 3 dB below its top (BS.1770-5, Annex 2).
  const peak = (top: number) => wav(2, (time) => decibels(top) * sine(time, RATE / 4, Math.PI / 4))
  const r128 = { target_lufs: -23, tolerance_lu: 0.5, max_true_peak_dbtp: -1 }
  return [
    ...filesOf(
      'loudness_check',
      [
        good('level-23.wav', level(-23)),
        good('level-22.6.wav', level(-22.6)),
        good('level-23.4.wav', level(-23.4)),
        bad('level-22.3.wav', level(-22.3)),
        bad('level-23.7.wav', level(-23.7)),
        bad('level-18.wav', level(-18)),
        // Tech 3341, signals 3 and 4: what is quiet does not count.
        good('gated.wav', steps([-36, 3], [-23, 12], [-36, 3])),
        good('gated-twice.wav', steps([-72, 3], [-36, 3], [-23, 12], [-36, 3], [-72, 3])),
        // Mono is one channel: 3 dB less than the same on two (BS.1770-5, Annex 1).
        good(
          'mono.wav',
          wav(6, (time) => decibels(-20) * sine(time, 1000), { channels: 1 }),
        ),
        bad(
          'mono-quiet.wav',
          wav(6, (time) => decibels(-23) * sine(time, 1000), { channels: 1 }),
        ),
        good('level.m4a', coded({ seconds: 6, bitRate: 192_000, sample: (time) => decibels(-23) * sine(time, 1000) })),
      ],
      { thresholds: r128 },
    ),
    ...filesOf(
      'loudness_check',
      ([-1.5, -3, -0.4, 0] as const).map((top) => label(top > -1)(`peak${top}.wav`, peak(top))),
      { thresholds: { max_true_peak_dbtp: -1 } },
    ),
    // EBU R 128 s1: the loudest three seconds of an advertisement have at most -18 LUFS.
    ...filesOf(
      'loudness_check',
      [
        good('loudest-18.2.wav', steps([-26, 5], [-18.2, 4], [-26, 5])),
        good('loud-for-one.wav', steps([-26, 5], [-16, 1], [-26, 5])),
        bad('loudest-17.7.wav', steps([-26, 5], [-17.7, 4], [-26, 5])),
      ],
      { thresholds: { max_short_term_lufs: -18, max_true_peak_dbtp: null } },
    ),
    // EBU Tech 3342, signals 1 and 2: two levels for 20 s each, their distance is the range.
    ...filesOf(
      'loudness_check',
      [good('range-5.wav', steps([-20, 20], [-15, 20])), bad('range-10.wav', steps([-20, 20], [-30, 20]))],
      { thresholds: { max_range_lu: 7.5, max_true_peak_dbtp: null } },
    ),
  ]
}

function silences(): Labelled[] {
  const gap = (seconds: number) => wav(8, (time) => (time >= 1 && time < 1 + seconds ? 0 : 0.2 * sine(time)))
  return filesOf('silence_check', [
    ...[0, 1, 1.9, 2.1, 3, 6].map((seconds) => label(seconds > 2)(`gap${seconds}.wav`, gap(seconds))),
    good(
      'quiet-58.wav',
      wav(6, (time) => decibels(-58) * sine(time)),
    ),
    bad(
      'quiet-62.wav',
      wav(6, (time) => decibels(-62) * sine(time)),
    ),
    // One channel sounds on: the track is not silent.
    good(
      'one-side.wav',
      wav(6, (time, channel) => (channel === 0 ? 0.2 * sine(time) : 0)),
    ),
    bad(
      'tail.wav',
      wav(6, (time) => (time > 3.5 ? 0 : 0.2 * sine(time))),
    ),
  ])
}

function clippings(): Labelled[] {
  return filesOf('clipping_check', [
    ...[0.5, 0.9, 0.99, 1.1, 1.5, 3].map((gain) =>
      label(gain > 1)(
        `gain${gain}.wav`,
        wav(2, (time) => gain * sine(time, 440)),
      ),
    ),
    // One sample at full scale is a peak, not a clipped top.
    good(
      'peak.wav',
      wav(2, (time) => (Math.round(time * RATE) % 9600 === 100 ? 1 : 0.3 * sine(time, 440))),
    ),
    bad(
      'once.wav',
      wav(2, (time) => (time > 1 && time < 1.002 ? 1 : 0.3 * sine(time, 440))),
    ),
  ])
}

function phases(): Labelled[] {
  const turned = (degrees: number) => {
    const shift = (degrees * Math.PI) / 180
    return wav(5, (time, channel) => 0.3 * sine(time, 440, channel === 1 ? shift : 0))
  }
  // The correlation of two sines is the cosine of what lies between them: -0.3 at 107.5°.
  return filesOf('phase_check', [
    ...[0, 60, 90, 106, 109, 150, 180].map((degrees) => label(degrees > 107.5)(`phase${degrees}.wav`, turned(degrees))),
    good(
      'effect.wav',
      wav(8, (time, channel) => 0.3 * sine(time, 440) * (channel === 1 && time >= 3 && time < 4 ? -1 : 1)),
    ),
    bad(
      'against-for-three.wav',
      wav(12, (time, channel) => 0.3 * sine(time, 440) * (channel === 1 && time >= 3 && time < 6 ? -1 : 1)),
    ),
  ])
}

function formats(): Labelled[] {
  const tone: Sample = (time) => 0.2 * sine(time)
  const rate = (hertz: number) => wav(1, tone, { rate: hertz })
  const named = { template: '{title}_{duration}.{ext}', thresholds: {} }
  return [
    ...filesOf(
      'sample_rate_check',
      [
        good('48000.wav', rate(48_000)),
        good('48000.m4a', coded({ seconds: 1 })),
        good('48000.mp3', coded({ codec: 'mp3', seconds: 1 })),
        bad('44100.wav', rate(44_100)),
        bad('47999.wav', rate(47_999)),
        bad('96000.wav', rate(96_000)),
        bad('44100.mp3', coded({ codec: 'mp3', seconds: 1, rate: 44_100 })),
      ],
      { thresholds: { rates_hz: [48_000] } },
    ),
    ...filesOf(
      'channel_layout_check',
      [
        good('stereo.wav', wav(1, tone)),
        good('stereo.m4a', coded({ seconds: 1 })),
        good('stereo.mp3', coded({ codec: 'mp3', seconds: 1 })),
        good('surround.wav', wav(1, tone, { channels: 6, mask: 0x3f }), { thresholds: { layouts: ['5.1'] } }),
        good('surround-side.wav', wav(1, tone, { channels: 6, mask: 0x60f }), { thresholds: { layouts: ['5.1'] } }),
        bad('mono.wav', wav(1, tone, { channels: 1 })),
        bad('mono.m4a', coded({ seconds: 1, channels: 1 })),
        bad('six.wav', wav(1, tone, { channels: 6, mask: 0x3f })),
        bad('four.wav', wav(1, tone, { channels: 4, mask: 0x33 }), { thresholds: { layouts: ['5.1'] } }),
      ],
      { thresholds: { layouts: ['stereo'] } },
    ),
    ...filesOf(
      'duration_check',
      [
        good('exact.wav', wav(3, tone)),
        good('padded.wav', wav(3.045, tone)),
        good('padded.mp3', coded({ codec: 'mp3', seconds: 3 })),
        good('spot_3s.wav', wav(3.4, tone), named),
        bad('long.wav', wav(3.06, tone)),
        bad('short.wav', wav(2.94, tone)),
        bad('spot-long_3s.wav', wav(3.6, tone), named),
      ],
      { thresholds: { lengths_seconds: [3] } },
    ),
    // 48,000 samples of 16 bits on two channels are 1,536 kbit/s.
    ...filesOf('bitrate_check', [
      good('pcm.wav', wav(4, tone), { thresholds: { min_kbps: 1530, max_kbps: 1540 } }),
      good('coded.mp3', coded({ codec: 'mp3', seconds: 4 }), { thresholds: { min_kbps: 120, max_kbps: 140 } }),
      bad('pcm-low.wav', wav(4, tone), { thresholds: { min_kbps: 1540 } }),
      bad('pcm-high.wav', wav(4, tone), { thresholds: { max_kbps: 1530 } }),
      bad('coded-low.mp3', coded({ codec: 'mp3', seconds: 4 }), { thresholds: { min_kbps: 140 } }),
    ]),
  ]
}

export const AUDIO: Labelled[] = [...loudness(), ...silences(), ...clippings(), ...phases(), ...formats()]
