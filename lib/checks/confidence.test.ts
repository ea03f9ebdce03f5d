import { describe, expect, test } from 'vitest'
import { CATALOGUE } from './catalogue'
import type { Subject } from './check'
import {
  confidenceBetween,
  countConfidence,
  machineConfidence,
  measuredConfidence,
  ratioConfidence,
  sampleConfidence,
} from './confidence'
import { runChecks } from './engine'
import { audioFacts, audioStream, audioTrack, imagePixels, ranAd, subject, trackFacts, videoFrames } from './testing'

const list = <T>(amount: number, item: (index: number) => T) => Array.from({ length: amount }, (_, at) => item(at))

describe('confidence of an estimate', () => {
  test('of what depends on the machine: the share of machines', () => {
    const of = (measured: number) => machineConfidence(measured, 30)
    expect([30, 60, 15, 120, 7.5, 500, 0].map(of)).toEqual([0.5, 0.84, 0.84, 0.98, 0.98, 0.99, 0.99])
  })

  test('of a measurement: by its distance from the limit in units of its uncertainty', () => {
    expect([10, 10.5, 9.5, 11, 8, 20].map((value) => measuredConfidence(value, 10, 0.5))).toEqual([
      0.5, 0.84, 0.84, 0.98, 0.99, 0.99,
    ])
    expect(measuredConfidence(11, 10, 4), 'a coarser one is less sure').toBe(0.6)
    expect(measuredConfidence(10, 10, 0), 'measured exactly').toBe(0.99)
    expect(measuredConfidence(Number.NEGATIVE_INFINITY, -60, 1), 'nothing was there').toBe(0.99)
  })

  test('of a measurement that is off by a factor: in doublings', () => {
    expect([100, 200, 50, 1600].map((value) => ratioConfidence(value, 100, 0.5))).toEqual([0.5, 0.98, 0.98, 0.99])
    expect([0, -1].map((value) => ratioConfidence(value, 100, 0.5))).toEqual([0.99, 0.99])
    expect(ratioConfidence(0, 0, 0.5)).toBe(0.5)
  })

  test('of what is found one by one: by how much would have to be wrong', () => {
    expect([0, 1, 2, 3, 100].map((findings) => countConfidence(findings, 0.8))).toEqual([0, 0.8, 0.96, 0.99, 0.99])
  })

  test('of a sample: by its distance from the limit and its number', () => {
    expect(sampleConfidence(0.5, 0.5, 400)).toBe(0.5)
    expect(sampleConfidence(0.525, 0.5, 400)).toBe(0.84)
    expect(sampleConfidence(0.45, 0.5, 400)).toBe(0.98)
    expect(list(4, (index) => sampleConfidence(0, 0.15, [2, 10, 20, 60][index] as number))).toEqual([
      0.72, 0.91, 0.97, 0.99,
    ])
    expect(sampleConfidence(0.9975, 1, 400), 'one that is missed decides').toBe(0.99)
  })

  test('of a pass: by what is left of the limit', () => {
    expect([0, 0.5, 1, 2].map((used) => confidenceBetween(used, 0.95, 0.85))).toEqual([0.95, 0.9, 0.85, 0.85])
  })
})

type Distances = {
  file: (value: number) => Subject
  /** From below the limit to above it. */
  values: readonly number[]
  thresholds?: Record<string, unknown>
}

const pairs = (fields: number, progressive: number) =>
  videoFrames({ fields: { top: fields, bottom: 0, progressive, undecided: 0 } }, { scanType: 'unknown' })

const CHECKS: Record<string, Distances> = {
  cpu_check: {
    file: (percent) => ranAd({ cpu: { mainThread: percent / 100, process: 1, seconds: 5 } }),
    values: list(101, (percent) => percent),
  },
  heavy_ad_check: {
    file: (window) => ranAd({ cpu: { mainThread: 1, process: 1, seconds: 30, window, total: window } }),
    values: list(61, (index) => index / 2),
  },
  click_area_check: {
    file: (points) => ranAd({ clickableShare: points / 400 }),
    values: list(401, (points) => points),
    thresholds: { min_percent: 60 },
  },
  ad_animation_check: {
    file: (last) => ranAd({ watchedSeconds: 32, motion: { lastChangeSeconds: last, isMoving: false, changes: 9 } }),
    values: list(61, (index) => index / 2),
    thresholds: { max_seconds: 15 },
  },
  flash_check: {
    file: (mostPerSecond) => videoFrames({ flashes: { mostPerSecond, at: { start: 1, end: 2 } } }),
    values: list(26, (count) => count),
  },
  freeze_frames_check: {
    file: (length) => videoFrames({ frozen: [{ start: 1, end: 1 + length }] }),
    values: list(50, (index) => index / 10),
  },
  letterbox_check: {
    file: (rows) => videoFrames({ bars: { top: rows, bottom: rows, left: 0, right: 0 } }),
    values: list(60, (rows) => rows),
  },
  video_level_check: {
    file: (index) => videoFrames({ levels: { low: { percent: 0, at: 1 }, high: { percent: index / 10, at: 1 } } }),
    values: list(150, (index) => 1000 + index),
  },
  cadence_check: {
    file: (stray) => videoFrames({ repeats: { count: stray, every: null, stray, at: [1] }, frames: 3000 }),
    values: list(30, (stray) => stray),
    thresholds: { max_repeats: 5 },
  },
  block_edges_check: {
    file: (tenths) => videoFrames({ blocks: [{ at: 1, percent: tenths / 10 }] }),
    values: list(160, (tenths) => tenths),
  },
  silence_check: {
    file: (length) => audioTrack({ silences: [{ start: 1, end: 1 + length, duringBlack: false }] }),
    values: list(50, (index) => 1.85 + index / 100),
  },
  audio_click_check: {
    file: (clicks) => audioTrack({ clicks: { count: clicks, at: [{ start: 1, end: 1 }] } }),
    values: list(20, (clicks) => clicks),
    thresholds: { max_count: 4 },
  },
  clipping_check: {
    file: (runs) => audioTrack({ clipping: { runs, at: [{ start: 1, end: 1 }] } }),
    values: list(20, (runs) => runs),
    thresholds: { max_runs: 4 },
  },
  mains_hum_check: {
    file: (index) => audioTrack({ hums: [{ start: 1, end: 9, mains: 50, levelDb: -index / 4, channel: 1 }] }),
    values: list(41, (index) => 260 - index),
  },
  stereo_check: {
    file: (decibels) =>
      subject(audioFacts({ audio: [audioStream()] }), {
        measures: {
          audio: {
            tracks: [
              trackFacts({
                stereo: {
                  correlation: 1,
                  opposed: [],
                  isDualMono: false,
                  leftDb: -20,
                  rightDb: -20,
                  differenceDb: -decibels,
                },
              }),
            ],
          },
        },
      }),
    values: list(60, (decibels) => decibels),
    thresholds: { dual_mono: 'required' },
  },
  dialogue_loudness_check: {
    file: (tenths) =>
      audioTrack({ dialogue: { loudness: -40 + tenths / 10, share: 0.6, certainty: 1, at: [{ start: 1, end: 9 }] } }),
    values: list(130, (tenths) => tenths),
    thresholds: { target_lufs: -27 },
  },
  scan_type_check: { file: (fields) => pairs(fields, 40 - fields), values: list(41, (fields) => fields) },
  compression_check: {
    file: (blockiness) => imagePixels({ blockiness }),
    values: list(100, (index) => 0.8 + index / 20),
  },
  sharpness_check: { file: (sharpness) => imagePixels({ sharpness }), values: list(100, (index) => 10 * index + 1) },
}

describe.each(Object.entries(CHECKS))('%s', (id, { file, values, thresholds = {} }) => {
  const check = CATALOGUE.find((each) => each.id === id)
  if (!check) throw new Error(`There is no check ${id}.`)
  const settings = { confidence_floor: 0, checks: { [id]: { enabled: true, severity: 'fail' as const, thresholds } } }
  const lines = values.flatMap((value) => runChecks(file(value), settings, [check]).checks)

  test('turns once, and is surer the farther from there, on both sides', () => {
    const turns = lines.flatMap(({ status }, index) =>
      index > 0 && status !== lines[index - 1]?.status ? [index] : [],
    )
    expect(turns).toHaveLength(1)
    const sureness = lines.map(({ confidence }) => confidence)
    const before = sureness.slice(0, turns[0])
    const after = sureness.slice(turns[0])
    expect(before, 'falls towards the limit').toEqual([...before].sort((a, b) => b - a))
    expect(after, 'rises behind it').toEqual([...after].sort((a, b) => a - b))
    expect(new Set(sureness).size, 'follows the distance').toBeGreaterThan(1)
  })
})
