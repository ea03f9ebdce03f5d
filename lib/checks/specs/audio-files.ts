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
