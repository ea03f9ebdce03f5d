import { coded, decibels, RATE, sine, wav } from '../audio-files'
import { bad, good, label, sharing } from '../files'

/** EBU Tech 3341, signals 1 to 4: a stereo sine of 1 kHz at x dBFS has x LUFS; stretches at other levels try the gates. */
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

export const FILES = [
  ...sharing({ thresholds: r128 }, [
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
  ]),
  ...sharing(
    { thresholds: { max_true_peak_dbtp: -1 } },
    ([-1.5, -3, -0.4, 0] as const).map((top) => label(top > -1)(`peak${top}.wav`, peak(top))),
  ),
  // EBU R 128 s1: the loudest three seconds of an advertisement have at most -18 LUFS.
  ...sharing({ thresholds: { max_short_term_lufs: -18, max_true_peak_dbtp: null } }, [
    good('loudest-18.2.wav', steps([-26, 5], [-18.2, 4], [-26, 5])),
    good('loud-for-one.wav', steps([-26, 5], [-16, 1], [-26, 5])),
    bad('loudest-17.7.wav', steps([-26, 5], [-17.7, 4], [-26, 5])),
  ]),
  // EBU Tech 3342, signals 1 and 2: two levels for 20 s each, their distance is the range.
  ...sharing({ thresholds: { max_range_lu: 7.5, max_true_peak_dbtp: null } }, [
    good('range-5.wav', steps([-20, 20], [-15, 20])),
    bad('range-10.wav', steps([-20, 20], [-30, 20])),
  ]),
]
