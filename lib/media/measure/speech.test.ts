import { describe, expect, test } from 'vitest'
import type { Sample } from '@/fixtures/audio'
import { CLIP_NAMES, clip } from '@/fixtures/clips'
import { AudioMeter } from './audio-meter'

const RATE = 48_000

/** What is said of the dialogue of a track in which all channels hold this. */
function dialogueOf(seconds: number, sample: Sample, channels = 2) {
  const samples = Float32Array.from({ length: Math.round(seconds * RATE) }, (_, at) => sample(at / RATE, 0))
  const meter = new AudioMeter(RATE, channels)
  for (let at = 0; at < samples.length; at += 1000)
    meter.take(Array.from({ length: channels }, () => samples.subarray(at, at + 1000)))
  return meter.finish().dialogue
}

describe('where somebody speaks', () => {
  const speech = CLIP_NAMES.filter((name) => name.startsWith('speech'))
  const music = CLIP_NAMES.filter((name) => name.startsWith('music'))

  test.each(speech)('%s is speech, at its loudness', (name) => {
    const dialogue = dialogueOf(16, clip(name, -27))
    expect(dialogue?.share).toBeGreaterThan(0.95)
    expect(Math.abs((dialogue?.loudness ?? 0) + 27)).toBeLessThan(1)
  })

  test.each(music)('%s is none', (name) => {
    expect(dialogueOf(13, clip(name, -20))).toMatchObject({ loudness: null, share: 0, at: [] })
  })

  test.each(music)('between and above %s it is found, and measured by itself', (name) => {
    const [voice, loud, below] = [clip('speech-rms', -27), clip(name, -20), clip(name, -37)]
    const dialogue = dialogueOf(24, (time, channel) =>
      time < 6 || time >= 18 ? loud(time, channel) : voice(time - 6, channel) + below(time, channel),
    )
    expect(Math.abs((dialogue?.loudness ?? 0) + 27)).toBeLessThan(1.5)
    expect(dialogue?.at).toHaveLength(1)
    expect(Math.abs((dialogue?.at[0]?.start ?? 0) - 6)).toBeLessThanOrEqual(1.5)
    expect(Math.abs((dialogue?.at[0]?.end ?? 0) - 18)).toBeLessThanOrEqual(1.5)
  })

  test('nothing is said of what is too short, and silence is no speech', () => {
    expect(dialogueOf(1.5, clip('speech-slt', -27))).toEqual({ loudness: null, share: 0, certainty: 1, at: [] })
    expect(dialogueOf(5, () => 0)).toEqual({ loudness: null, share: 0, certainty: 1, at: [] })
    expect(dialogueOf(0, () => 0)).toEqual({ loudness: null, share: 0, certainty: 1, at: [] })
  })
})
