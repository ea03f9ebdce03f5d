import { writeFileSync } from 'node:fs'
import { wav as encodeWav, type Sample } from '@/fixtures/audio'
import { type AudioTrack, writeMedia } from '@/fixtures/video'

export const RATE = 48_000

export const decibels = (value: number) => 10 ** (value / 20)

export const sine = (time: number, hertz = 997, phase = 0) => Math.sin(2 * Math.PI * hertz * time + phase)

/** A quiet tone, for what is not about its audio. */
export const tone: Sample = (time) => 0.2 * sine(time)

export const wav =
  (seconds: number, sample: Sample, options: Parameters<typeof encodeWav>[2] = {}) =>
  (file: string) =>
    writeFileSync(file, encodeWav(seconds, sample, options))

export const coded = (track: AudioTrack) => (file: string) => writeMedia(file, { audio: [track] })

/** White noise, -1 to 1: the same at the same time. */
export function noise(time: number, channel = 0): number {
  const mixed = Math.imul((Math.round(time * RATE) * 2 + channel) ^ 0x9e3779b9, 0x85ebca6b)
  const spread = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((spread ^ (spread >>> 16)) >>> 0) / 2 ** 31 - 1
}

const CHORDS = [
  [110, 220, 277.2, 329.6],
  [123.5, 246.9, 293.7, 370],
  [98, 196, 246.9, 293.7],
  [146.8, 293.7, 370, 440],
]

/** Something like music: a chord of notes with overtones every half second, a shaker, and never silent; peaks near 0.5. */
export const music: Sample = (time, channel) => {
  const beat = Math.floor(time / 0.5)
  const since = time - beat * 0.5
  const chord = CHORDS[beat % CHORDS.length] as number[]
  const held = Math.min(1, since / 0.01) * (0.5 + 0.5 * Math.exp(-4 * since)) * Math.min(1, (0.5 - since) / 0.01)
  const notes = chord.map((hertz, note) =>
    [1, 2, 3].reduce((sum, overtone) => sum + sine(time, hertz * overtone, note + channel * 0.7) / overtone ** 1.5, 0),
  )
  const shaker = 0.05 * noise(time, channel) * Math.exp(-30 * (time % 0.25))
  return 0.1 * held * notes.reduce((sum, note) => sum + note, 0) + shaker + 0.02 * sine(time, 71, channel)
}

/** With so many seconds from these places on put at zero, or held at the sample before them; on one channel or on all. */
export const torn = (
  sample: Sample,
  places: readonly number[],
  length: number,
  { held = false, channel: only }: { held?: boolean; channel?: number } = {},
): Sample => {
  return (time, channel) => {
    const place = places.find((start) => time >= start && time < start + length - 0.5 / RATE)
    if (place === undefined || (only !== undefined && channel !== only)) return sample(time, channel)
    return held ? sample(place - 1 / RATE, channel) : 0
  }
}

/** With `width` samples raised at these places. */
export const clicking = (sample: Sample, places: readonly number[], height: number, width = 1): Sample => {
  const at = new Set(
    places.flatMap((place) => Array.from({ length: width }, (_, more) => Math.round(place * RATE) + more)),
  )
  return (time, channel) => sample(time, channel) + (at.has(Math.round(time * RATE)) ? height : 0)
}

/** Struck and dying away, with the first sample at once at its full height. */
export const drum: Sample = (time) => {
  const since = time % 0.4
  return 0.8 * Math.exp(-12 * since) * Math.cos(2 * Math.PI * (60 + 120 * Math.exp(-40 * since)) * since)
}

export const square = (hertz: number, level = 0.5): Sample => {
  return (time) => ((time * hertz) % 1 < 0.5 ? level : -level)
}

/** High for a share of each period, else at zero. */
export const pulses = (hertz: number, share: number, level = 0.5): Sample => {
  return (time) => ((time * hertz) % 1 < share ? level : 0)
}
