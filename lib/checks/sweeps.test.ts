import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FrameGroups } from '@/lib/media/facts'
import { CATALOGUE } from './catalogue'
import type { Subject } from './check'
import { runChecks } from './engine'
import { lineOf, readImage } from './specs/reading'
import {
  archive,
  audioFacts,
  audioStream,
  audioTrack,
  captions,
  document,
  documentPages,
  image,
  imagePixels,
  marks,
  printMark,
  ranAd,
  subject,
  trackFacts,
  vastCreative,
  vastLinear,
  video,
  videoFrames,
} from './testing'

/**
 * Every threshold that is a number is swept from far below to far above what was measured: the verdict turns once, within
 * one step of the measured value, and a threshold equal to it passes. Nothing is decoded: the measurements are written down.
 */

type Sweep = {
  /** The measured value is the threshold's greatest or least one that is allowed. */
  limit: 'most' | 'least'
  /** A file of which this value is measured. */
  file: (value: number) => Subject
  values: readonly number[]
  /** What the check cannot tell apart: its rounding or its stated tolerance. 0: exact. */
  step: number
  /** How finely the threshold is set. */
  grain?: number
  /** Other thresholds that the file needs. */
  besides?: Record<string, unknown>
}

/** Values that no binary fraction holds, besides whole ones. */
const SECONDS = [0.7, 1.1, 2, 2.04, 3.3, 7.7, 29.97]
const COUNTS = [1, 2, 3, 7, 30]
/** Sizes of text. */
const POINTS = [5, 6.3, 8, 12]
const span = (length: number, start = 1.3) => ({ start, end: start + length })
const frameGroups = (changes: Partial<FrameGroups>) => ({
  keyFrames: 9,
  open: 0,
  longestFrames: 1,
  longestSeconds: 0.04,
  isIntra: false,
  ...changes,
})
/** 1000 × 1000 px with a word of 100 × 30 px in it. */
const story = ({ x, y, height = 30 }: { x: number; y: number; height?: number }) =>
  readImage({ width: 1000, height: 1000 }, lineOf('Summer', { x, y, width: 100, height }), 'Summer')
const PIXELS = [90, 299, 300, 1920]
const box = (by: number) => ({ xMm: 5 - by, yMm: 5 - by, widthMm: 200 + 2 * by, heightMm: 287 + 2 * by })
const list = <T>(amount: number, item: (index: number) => T) =>
  Array.from({ length: amount }, (_, index) => item(index))
const loading = (phase: 'initial' | 'later') => (packedBytes: number) =>
  ranAd({
    requests: [
      { target: 'a.js', phase, status: 'served', kind: 'Script', bytes: packedBytes, packedBytes, seconds: 0.1 },
    ],
  })

const SWEEPS: Record<string, Sweep> = {
  'file_size_check.max_bytes': {
    limit: 'most',
    file: (bytes) => image({}, { bytes }),
    values: [1, 999, 150_000],
    step: 0,
    grain: 1,
  },
  'file_size_check.min_bytes': {
    limit: 'least',
    file: (bytes) => image({}, { bytes }),
    values: [2, 999, 150_000],
    step: 0,
    grain: 1,
  },
  'name_matches_media_check.duration_tolerance_seconds': {
    limit: 'most',
    file: (by) => video({ durationSeconds: 30 + by }, { claims: { durationSeconds: 30 } }),
    values: [0.1, 0.3, 0.5, 0.7],
    step: 0,
    grain: 0.01,
  },
  'name_matches_media_check.frame_rate_tolerance': {
    limit: 'most',
    file: (by) =>
      video({ frameRate: { average: 25 + by, nominal: 25, constant: true } }, { claims: { framesPerSecond: 25 } }),
    values: [0.005, 0.05, 0.1],
    step: 0,
    grain: 0.001,
  },
  'name_matches_media_check.ratio_tolerance': {
    limit: 'most',
    file: (by) => image({ width: 1000 * (1 + by), height: 1000 }, { claims: { ratio: { width: 1, height: 1 } } }),
    values: [0.01, 0.02, 0.07],
    step: 0,
    grain: 0.001,
  },
  'dimension_check.min_width': { limit: 'least', file: (width) => image({ width }), values: PIXELS, step: 0, grain: 1 },
  'dimension_check.max_width': { limit: 'most', file: (width) => image({ width }), values: PIXELS, step: 0, grain: 1 },
  'dimension_check.min_height': {
    limit: 'least',
    file: (height) => image({ height }),
    values: PIXELS,
    step: 0,
    grain: 1,
  },
  'dimension_check.max_height': {
    limit: 'most',
    file: (height) => image({ height }),
    values: PIXELS,
    step: 0,
    grain: 1,
  },
  'aspect_ratio_check.tolerance': {
    limit: 'most',
    file: (by) => image({ width: 1000 * (1 + by), height: 1000 }),
    values: [0.01, 0.02, 0.07],
    step: 0,
    grain: 0.001,
    besides: { ratios: ['1x1'] },
  },
  'resolution_check.min_dpi': {
    limit: 'least',
    file: (densityDpi) => image({ densityDpi }),
    values: [72, 150, 299.7, 300],
    step: 0.021,
    grain: 0.01,
  },
  'sharpness_check.min_variance': {
    limit: 'least',
    file: (sharpness) => imagePixels({ sharpness }),
    values: [0.1, 30, 99.9, 100, 900],
    step: 0,
    grain: 0.1,
  },
  'sharpness_check.min_evenness': {
    limit: 'least',
    file: (stepEvenness) => imagePixels({ sharpness: 900, stepEvenness }),
    values: [0.1, 0.25, 0.4, 0.8],
    step: 0,
    grain: 0.001,
  },
  'sharpness_check.min_contour': {
    limit: 'least',
    file: (contourSharpness) => imagePixels({ sharpness: 900, contourSharpness }),
    values: [0.003, 0.006, 0.007],
    step: 0,
    grain: 0.0005,
  },
  'compression_check.min_quality': {
    limit: 'least',
    file: (jpegQuality) => image({ format: 'jpeg', jpegQuality }),
    values: [30, 70, 99],
    step: 0,
    grain: 1,
  },
  'compression_check.max_blockiness': {
    limit: 'most',
    file: (blockiness) => imagePixels({ blockiness }, { format: 'jpeg', jpegQuality: 90 }),
    values: [1.1, 1.6, 2.3],
    step: 0,
    grain: 0.1,
  },
  'blank_check.min_deviation_percent': {
    limit: 'least',
    file: (percent) => imagePixels({ deviation: percent / 100 }),
    values: [0.3, 1, 1.1, 2.9, 7],
    step: 0,
    grain: 0.1,
  },
  'border_check.max_pale_edge_percent': {
    limit: 'most',
    file: (percent) => imagePixels({ paleEdgeShare: percent / 100 }),
    values: [7, 14, 28, 50, 56],
    step: 0,
    grain: 1,
  },
  'animation_check.max_total_seconds': {
    limit: 'most',
    file: (total) =>
      image({
        format: 'gif',
        frames: 10,
        loopCount: 1,
        durationSeconds: total,
        frameDelaysMs: list(10, () => total * 100),
      }),
    values: [0.7, 2.1, 15, 30],
    step: 0,
    grain: 0.1,
  },
  'animation_check.max_plays': {
    limit: 'most',
    file: (loopCount) =>
      image({ format: 'gif', frames: 2, loopCount, durationSeconds: 0.2, frameDelaysMs: [100, 100] }),
    values: [1, 2, 3],
    step: 0,
    grain: 1,
  },
  'animation_check.max_frames_per_second': {
    limit: 'most',
    file: (rate) =>
      image({
        format: 'gif',
        frames: 7,
        loopCount: 1,
        durationSeconds: 7 / rate,
        frameDelaysMs: list(7, () => 1000 / rate),
      }),
    values: [3, 10, 11, 24],
    step: 0,
    grain: 0.1,
  },
  'safe_area_check.top_percent': {
    limit: 'least',
    file: (percent) => story({ x: 400, y: percent * 10 }),
    values: [5, 14, 20.5],
    step: 0,
    grain: 0.1,
  },
  'safe_area_check.bottom_percent': {
    limit: 'least',
    file: (percent) => story({ x: 400, y: 970 - percent * 10 }),
    values: [5, 20, 35.5],
    step: 0,
    grain: 0.1,
  },
  'safe_area_check.left_percent': {
    limit: 'least',
    file: (percent) => story({ x: percent * 10, y: 400 }),
    values: [5, 6, 10.5],
    step: 0,
    grain: 0.1,
  },
  'safe_area_check.right_percent': {
    limit: 'least',
    file: (percent) => story({ x: 900 - percent * 10, y: 400 }),
    values: [5, 6, 10.5],
    step: 0,
    grain: 0.1,
  },
  'text_legibility_check.min_height_px': {
    limit: 'least',
    file: (height) => story({ x: 400, y: 400, height }),
    values: [7, 9.5, 20],
    step: 0,
    grain: 0.1,
  },
  'duration_check.min_seconds': {
    limit: 'least',
    file: (videoDurationSeconds) => video({ videoDurationSeconds }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
  'duration_check.max_seconds': {
    limit: 'most',
    file: (videoDurationSeconds) => video({ videoDurationSeconds }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
  'duration_check.tolerance_seconds': {
    limit: 'most',
    file: (by) => video({ videoDurationSeconds: 30 + by }),
    values: [0.1, 0.3, 0.5, 0.7],
    step: 0,
    grain: 0.01,
    besides: { lengths_seconds: [30] },
  },
  'frame_rate_check.tolerance': {
    limit: 'most',
    file: (by) => video({ frameRate: { average: 25 + by, nominal: 25, constant: true } }),
    values: [0.003, 0.005, 0.05, 0.1],
    step: 0,
    grain: 0.001,
    besides: { rates: [25] },
  },
  'black_frames_check.max_inside_seconds': {
    limit: 'most',
    file: (length) => videoFrames({ black: [span(length)], durationSeconds: 60 }),
    values: SECONDS,
    step: 0.0011,
    grain: 0.001,
  },
  'black_frames_check.max_edge_seconds': {
    limit: 'most',
    file: (length) => videoFrames({ black: [span(length, 0)], durationSeconds: 60 }),
    values: SECONDS,
    step: 0.0011,
    grain: 0.001,
  },
  'programme_layout_check.min_black_before_seconds': {
    limit: 'least',
    file: (length) => videoFrames({ black: [span(length, 0)], durationSeconds: 60 }),
    values: SECONDS,
    step: 0.021,
    grain: 0.001,
  },
  'programme_layout_check.min_hold_seconds': {
    limit: 'least',
    file: (length) => videoFrames({ frozen: [{ start: 60 - length, end: 60 }], durationSeconds: 60 }),
    values: SECONDS,
    step: 0.021,
    grain: 0.001,
  },
  'freeze_frames_check.max_seconds': {
    limit: 'most',
    file: (length) => videoFrames({ frozen: [span(length)], durationSeconds: 60 }),
    values: SECONDS,
    step: 0.0011,
    grain: 0.001,
  },
  'cadence_check.max_repeats': {
    limit: 'most',
    file: (stray) => videoFrames({ repeats: { count: stray, every: null, stray, at: [1] } }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'block_edges_check.max_percent': {
    limit: 'most',
    file: (percent) => videoFrames({ blocks: [{ at: 1, percent }] }),
    values: [0.7, 2, 8, 30.1],
    step: 0.0011,
    grain: 0.001,
  },
  'flash_check.max_per_second': {
    limit: 'most',
    file: (mostPerSecond) => videoFrames({ flashes: { mostPerSecond, at: span(1) } }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'flash_check.max_extended_seconds': {
    limit: 'most',
    file: (length) => videoFrames({ flashes: { mostPerSecond: 1, at: span(1), longest: span(length) } }),
    values: [1.1, 2.04, 5, 7.7],
    step: 0.0011,
    grain: 0.001,
  },
  'flash_check.max_pattern_seconds': {
    limit: 'most',
    file: (length) => videoFrames({ stripes: [span(length)] }),
    values: SECONDS,
    step: 0.0011,
    grain: 0.001,
  },
  'letterbox_check.max_percent': {
    limit: 'most',
    file: (percent) => videoFrames({ bars: { top: 10.8 * percent, bottom: 0, left: 0, right: 0 } }),
    values: [1, 7, 14, 28],
    step: 0,
    grain: 0.1,
  },
  'bitrate_check.min_kbps': {
    limit: 'least',
    file: (kbps) => video({ videoBitrate: kbps * 1000 }),
    values: [128, 192.3, 8000],
    step: 0,
    grain: 0.1,
  },
  'bitrate_check.max_kbps': {
    limit: 'most',
    file: (kbps) => video({ videoBitrate: kbps * 1000 }),
    values: [128, 192.3, 8000],
    step: 0,
    grain: 0.1,
  },
  'frame_group_check.max_seconds': {
    limit: 'most',
    file: (longestSeconds) => video({ groups: frameGroups({ longestSeconds }) }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
  'frame_group_check.max_frames': {
    limit: 'most',
    file: (longestFrames) => video({ groups: frameGroups({ longestFrames }) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'timecode_check.max_jumps': {
    limit: 'most',
    file: (count) =>
      video({
        timecode: '10:00:00:00',
        timecodeJumps: {
          count,
          first: list(Math.min(count, 20), (index) => ({
            seconds: index,
            found: '11:00:00:00',
            expected: '10:00:00:01',
          })),
        },
      }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'track_check.max_videos': {
    limit: 'most',
    file: (amount) => video({ tracks: list(amount, () => ({ kind: 'video', codec: 'h264', packets: 1 })) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'video_level_check.max_percent': {
    limit: 'most',
    file: (percent) => videoFrames({ levels: { low: { percent: 0, at: 1 }, high: { percent, at: 1 } } }),
    values: [100, 103, 105, 109.1],
    step: 0.251,
    grain: 0.01,
    besides: { min_percent: null },
  },
  'video_level_check.min_percent': {
    limit: 'least',
    file: (percent) => videoFrames({ levels: { low: { percent, at: 1 }, high: { percent: 100, at: 1 } } }),
    values: [-7.3, -5, -1],
    step: 0.251,
    grain: 0.01,
    besides: { max_percent: null },
  },
  'dynamic_range_check.max_cll_nits': {
    limit: 'most',
    file: (maxCll) =>
      video({
        bitDepth: 10,
        colour: { primaries: 'bt2020', transfer: 'smpte2084', matrix: 'bt2020nc', range: 'limited' },
        dynamicRange: { masteringDisplay: null, contentLight: { maxCll, maxFall: 1 }, dolbyVision: null },
      }),
    values: [100, 1000, 4000],
    step: 0,
    grain: 1,
  },
  'dynamic_range_check.max_pixel_nits': {
    limit: 'most',
    file: (nits) => ({
      ...video({
        bitDepth: 10,
        colour: { primaries: 'bt2020', transfer: 'smpte2084', matrix: 'bt2020nc', range: 'limited' },
        dynamicRange: { masteringDisplay: null, contentLight: null, dolbyVision: null },
      }),
      measures: videoFrames({
        levels: {
          low: { percent: 0, at: 0 },
          high: { percent: 75, at: 0 },
          light: { peak: { nits, at: 0 }, average: { nits: 1, at: 0 } },
        },
      }).measures,
    }),
    values: [1000, 4000, 5000],
    step: 0,
    grain: 1,
  },
  'av_sync_length_check.max_difference_seconds': {
    limit: 'most',
    file: (by) => video({ videoDurationSeconds: 15, audio: [audioStream({ durationSeconds: 15 + by })] }),
    values: [0.04, 0.1, 0.3, 0.7],
    step: 0,
    grain: 0.01,
  },
  'loudness_check.tolerance_lu': {
    limit: 'most',
    file: (by) => audioTrack({ loudness: { integrated: -23 + by } }),
    values: [0.5, 0.7, 1.1, 2],
    step: 0.0051,
    grain: 0.001,
    besides: { target_lufs: -23 },
  },
  'loudness_check.max_true_peak_dbtp': {
    limit: 'most',
    file: (truePeak) => audioTrack({ loudness: { truePeak } }),
    values: [-9.3, -2, -1.1, -1],
    step: 0.0051,
    grain: 0.001,
  },
  'loudness_check.max_short_term_lufs': {
    limit: 'most',
    file: (maxShortTerm) => audioTrack({ loudness: { maxShortTerm } }),
    values: [-23.3, -18, -14.1],
    step: 0.0051,
    grain: 0.001,
  },
  'loudness_check.max_range_lu': {
    limit: 'most',
    file: (range) => audioTrack({ loudness: { range } }),
    values: [5, 7.7, 20.1],
    step: 0.0051,
    grain: 0.001,
  },
  'dialogue_loudness_check.tolerance_lu': {
    limit: 'most',
    file: (by) =>
      audioTrack({ dialogue: { loudness: -27 + by, share: 0.6, certainty: 0.97, at: [{ start: 1, end: 9 }] } }),
    values: [0.5, 1, 2, 3.1],
    step: 0.0051,
    grain: 0.001,
    besides: { target_lufs: -27 },
  },
  'silence_check.max_seconds': {
    limit: 'most',
    file: (length) => audioTrack({ silences: [{ ...span(length), duringBlack: false }] }),
    values: SECONDS,
    step: 0.0111,
    grain: 0.001,
  },
  'audio_dropout_check.max_count': {
    limit: 'most',
    file: (gaps) => audioTrack({ gaps: list(gaps, (index) => ({ ...span(0.01, index), channels: [1, 2] })) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'audio_dropout_check.pause_seconds': {
    limit: 'least',
    file: (length) => audioTrack({ gaps: [{ ...span(length), channels: [1, 2] }] }),
    values: [0.005, 0.021, 0.04, 0.1],
    step: 0,
    grain: 0.001,
  },
  'audio_click_check.max_count': {
    limit: 'most',
    file: (clicks) => audioTrack({ clicks: { count: clicks, at: [span(0)] } }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'mains_hum_check.max_level_dbfs': {
    limit: 'most',
    file: (levelDb) => audioTrack({ hums: [{ ...span(8), mains: 50, levelDb, channel: 1 }] }),
    values: [-70.3, -60, -41.3],
    step: 0,
    grain: 0.1,
  },
  'clipping_check.max_runs': {
    limit: 'most',
    file: (runs) => audioTrack({ clipping: { runs, at: [span(1)] } }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'phase_check.min_correlation': {
    limit: 'least',
    file: (correlation) => audioTrack({ stereo: { correlation, opposed: [], isDualMono: false } }),
    values: [-0.7, -0.3, 0.1, 0.6],
    step: 0,
    grain: 0.01,
  },
  'phase_check.max_opposed_seconds': {
    limit: 'most',
    file: (length) => audioTrack({ stereo: { correlation: 0.6, opposed: [span(length)], isDualMono: false } }),
    values: SECONDS,
    step: 0.0101,
    grain: 0.001,
  },
  'stereo_check.max_imbalance_db': {
    limit: 'most',
    file: (by) =>
      audioTrack({
        stereo: {
          correlation: 0.6,
          opposed: [],
          isDualMono: false,
          leftDb: -20.3,
          rightDb: -20.3 - by,
          differenceDb: -30,
        },
      }),
    values: [0.7, 6.1, 20, 30.3],
    step: 0,
    grain: 0.1,
  },
  'audio_depth_check.min_bits': {
    limit: 'least',
    file: (usedBits) =>
      subject(audioFacts({ audio: [audioStream({ bitDepth: 24 })] }), {
        measures: { audio: { tracks: [trackFacts({ usedBits })] } },
      }),
    values: [8, 16, 20, 24],
    step: 0,
    grain: 1,
  },
  'page_count_check.min_pages': {
    limit: 'least',
    file: (pages) => document({ pages }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'page_count_check.max_pages': {
    limit: 'most',
    file: (pages) => document({ pages }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'spread_check.tolerance_mm': {
    limit: 'most',
    file: (by) =>
      documentPages(
        ...[210, 420 + by, 210].map((widthMm) => ({ trimBox: { xMm: 5, yMm: 5, widthMm, heightMm: 297 } })),
      ),
    values: [0.1, 0.5, 1, 1.7],
    step: 0,
    grain: 0.01,
    besides: { rule: 'spreads_inside' },
  },
  'page_size_check.tolerance_mm': {
    limit: 'most',
    file: (by) => documentPages({ trimBox: { xMm: 5, yMm: 5, widthMm: 210 + by, heightMm: 297 } }),
    values: [0.1, 0.3, 0.5, 0.7, 1.1],
    step: 0,
    grain: 0.01,
    besides: { width_mm: 210, height_mm: 297 },
  },
  'bleed_check.min_mm': {
    limit: 'least',
    file: (by) => documentPages({ trimBox: box(0), bleedBox: box(by) }),
    values: [2.9, 3, 3.175, 4.7],
    step: 0,
    grain: 0.01,
    besides: { tolerance_mm: 0 },
  },
  'bleed_check.tolerance_mm': {
    limit: 'most',
    file: (by) => documentPages({ trimBox: box(0), bleedBox: box(3 - by) }),
    values: [0.1, 0.3, 0.7],
    step: 0,
    grain: 0.01,
    besides: { min_mm: 3 },
  },
  'image_resolution_check.min_dpi': {
    limit: 'least',
    file: (dpi) =>
      subject(document().media as Extract<Subject['media'], { kind: 'document' }>, {
        measures: {
          placed: {
            pages: 1,
            images: [{ page: 1, width: 900, height: 600, dpi, region: { x: 0, y: 0, width: 90, height: 60 } }],
          },
        },
      }),
    values: [72, 150, 225.3, 300],
    step: 0.51,
    grain: 0.01,
  },
  'pdf_version_check.min_version': {
    limit: 'least',
    file: (version) => document({ pdfVersion: version.toFixed(1) }),
    values: [1.3, 1.4, 1.7, 2],
    step: 0,
    grain: 0.1,
  },
  'pdf_version_check.max_version': {
    limit: 'most',
    file: (version) => document({ pdfVersion: version.toFixed(1) }),
    values: [1.3, 1.4, 1.7, 2],
    step: 0,
    grain: 0.1,
  },
  'spot_colour_check.max_count': {
    limit: 'most',
    file: (amount) => document({ spotColours: list(amount, (index) => `Ink ${index}`) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'archive_check.max_files': {
    limit: 'most',
    file: (entryCount) => archive({ entryCount }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'archive_check.max_unpacked_bytes': {
    limit: 'most',
    file: (uncompressedSize) => archive({ uncompressedSize }),
    values: [1, 999, 200_000],
    step: 0,
    grain: 1,
  },
  'ad_animation_check.max_seconds': {
    limit: 'most',
    file: (lastChangeSeconds) =>
      ranAd({ watchedSeconds: 32, motion: { lastChangeSeconds, isMoving: false, changes: 20 } }),
    values: [2.1, 7.7, 15, 29.3],
    step: 1,
    grain: 0.01,
  },
  'ad_animation_check.max_rounds': {
    limit: 'most',
    file: (rounds) => ranAd({ motion: { lastChangeSeconds: 5, isMoving: false, changes: 20, rounds } }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'orphan_asset_check.max_files': {
    limit: 'most',
    file: (amount) => ranAd({ unused: list(amount, (index) => ({ path: `${index}.png`, bytes: 100 })) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'request_count_check.max_requests': {
    limit: 'most',
    file: (amount) =>
      ranAd({
        requests: list(amount, (index) => ({
          target: `${index}.png`,
          phase: 'initial',
          status: 'served',
          kind: 'Image',
          bytes: 100,
          packedBytes: 90,
          seconds: 0.1,
        })),
      }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'initial_load_check.max_bytes': {
    limit: 'most',
    file: loading('initial'),
    values: [1, 999, 150_000],
    step: 0,
    grain: 1,
    besides: { max_bytes_by_size: {} },
  },
  'subload_check.max_bytes': {
    limit: 'most',
    file: loading('later'),
    values: [1, 999, 150_000],
    step: 0,
    grain: 1,
    besides: { max_bytes_by_size: {} },
  },
  'console_error_check.max_errors': {
    limit: 'most',
    file: (amount) => ranAd({ errors: list(amount, (index) => ({ text: `${index}`, count: 1, uncaught: false })) }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'cpu_check.max_percent': {
    limit: 'most',
    file: (percent) => ranAd({ cpu: { mainThread: percent / 100, process: percent / 100, seconds: 5 } }),
    values: [7, 29, 30, 57.3],
    step: 0.51,
    grain: 0.1,
  },
  'heavy_ad_check.max_network_bytes': {
    limit: 'most',
    file: loading('later'),
    values: [999, 4_000_000],
    step: 0,
    grain: 1,
  },
  'heavy_ad_check.max_window_cpu_seconds': {
    limit: 'most',
    file: (window) => ranAd({ cpu: { mainThread: 0.1, process: 0.1, seconds: 30, window, total: 1 } }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
  'heavy_ad_check.max_total_cpu_seconds': {
    limit: 'most',
    file: (total) => ranAd({ cpu: { mainThread: 0.1, process: 0.1, seconds: 30, window: 1, total } }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
  'click_area_check.min_percent': {
    limit: 'least',
    file: (percent) => ranAd({ clickableShare: percent / 100 }),
    values: [7, 14, 28, 57.25, 100],
    step: 0,
    grain: 0.1,
  },
  'vast_media_check.min_kbps': {
    limit: 'least',
    file: (bitrate) => vastLinear({ mediaFiles: vastCreative().mediaFiles.map((file) => ({ ...file, bitrate })) }),
    values: [128, 2500],
    step: 0,
    grain: 1,
  },
  'vast_media_check.max_kbps': {
    limit: 'most',
    file: (bitrate) => vastLinear({ mediaFiles: vastCreative().mediaFiles.map((file) => ({ ...file, bitrate })) }),
    values: [128, 2500],
    step: 0,
    grain: 1,
  },
  'vast_media_check.min_files': {
    limit: 'least',
    file: (amount) => vastLinear({ mediaFiles: list(amount, () => vastCreative().mediaFiles).flat() }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'overprint_check.black_text_below_pt': {
    limit: 'least',
    file: (value) => document({}, { blackKnockouts: marks(printMark('text', value)) }),
    values: POINTS,
    step: 0.011,
    grain: 0.001,
  },
  'line_width_check.min_pt': {
    limit: 'least',
    file: (value) => document({}, { thinnestLines: marks(printMark('line', value)) }),
    values: [0.1, 0.25, 0.7, 1.1],
    step: 0.0051,
    grain: 0.001,
  },
  'line_width_check.min_multi_ink_pt': {
    limit: 'least',
    file: (value) => {
      const line = marks(printMark('line', value))
      return document({}, { thinnestLines: line, thinnestMultiInkLines: line })
    },
    values: [0.1, 0.25, 0.7, 1.1],
    step: 0.0051,
    grain: 0.001,
  },
  'text_size_check.min_pt': {
    limit: 'least',
    file: (value) => document({}, { smallestTexts: marks(printMark('text', value)) }),
    values: POINTS,
    step: 0.011,
    grain: 0.001,
  },
  'text_size_check.min_multi_ink_pt': {
    limit: 'least',
    file: (value) => {
      const text = marks(printMark('text', value))
      return document({}, { smallestTexts: text, smallestMultiInkTexts: text })
    },
    values: POINTS,
    step: 0.011,
    grain: 0.001,
  },
  'text_size_check.min_reversed_pt': {
    limit: 'least',
    file: (value) => {
      const text = marks(printMark('text', value))
      return document({}, { smallestTexts: text, smallestReversedTexts: text })
    },
    values: POINTS,
    step: 0.011,
    grain: 0.001,
  },
  'rich_black_check.text_below_pt': {
    limit: 'least',
    file: (value) => document({}, { smallestRichBlackTexts: marks({ ...printMark('text', value), inks: 4 }) }),
    values: POINTS,
    step: 0.011,
    grain: 0.001,
  },
  'rich_black_check.line_below_pt': {
    limit: 'least',
    file: (value) => document({}, { thinnestRichBlackLines: marks({ ...printMark('line', value), inks: 4 }) }),
    values: [0.1, 0.25, 0.5, 1.3],
    step: 0.0051,
    grain: 0.001,
  },
  'ink_coverage_check.max_percent': {
    limit: 'most',
    file: (value) => document({}, { mostInked: marks(printMark('area', value)) }),
    values: [180, 240.3, 300, 330],
    step: 0.51,
    grain: 0.01,
  },
  'backup_image_check.max_bytes': {
    limit: 'most',
    file: (size) =>
      archive({
        entries: [
          { path: 'index.html', size: 1200, compressedSize: 600 },
          { path: 'backup.jpg', size, compressedSize: size },
        ],
      }),
    values: [999, 40_000],
    step: 0,
    grain: 1,
  },
  'caption_timing_check.min_seconds': {
    limit: 'least',
    file: (length) => captions({ shortest: [{ value: length, ...span(length) }] }),
    values: [0.5, 0.833, 1.1],
    step: 0.0011,
    grain: 0.001,
  },
  'caption_timing_check.max_seconds': {
    limit: 'most',
    file: (length) => captions({ longest: [{ value: length, ...span(length) }] }),
    values: SECONDS,
    step: 0.0011,
    grain: 0.001,
    besides: { min_seconds: null },
  },
  'caption_timing_check.min_gap_seconds': {
    limit: 'least',
    file: (length) => captions({ smallestGaps: [{ value: length, ...span(length) }] }),
    values: [0.08, 0.1, 0.3],
    step: 0.0011,
    grain: 0.001,
  },
  'caption_reading_speed_check.max_characters_per_second': {
    limit: 'most',
    file: (value) => captions({ fastest: [{ value, ...span(2) }] }),
    values: [6, 17.3, 20],
    step: 0.11,
    grain: 0.01,
  },
  'caption_reading_speed_check.max_words_per_minute': {
    limit: 'most',
    file: (value) => captions({ wordiest: [{ value, ...span(2) }] }),
    values: [90, 160.3],
    step: 1.1,
    grain: 0.1,
  },
  'caption_layout_check.max_characters': {
    limit: 'most',
    file: (value) => captions({ widest: [{ value, ...span(2) }] }),
    values: [12, 37, 42],
    step: 0,
    grain: 1,
  },
  'caption_layout_check.max_lines': {
    limit: 'most',
    file: (value) => captions({ tallest: [{ value, ...span(2) }] }),
    values: COUNTS,
    step: 0,
    grain: 1,
  },
  'caption_coverage_check.max_gap_seconds': {
    limit: 'most',
    file: (length) => captions({ largestGaps: [{ value: length, ...span(length) }] }),
    values: SECONDS,
    step: 0,
    grain: 0.01,
  },
}

/** Numbers that are no limit of one measured value, and why. */
const NOT_SWEPT: Record<string, string> = {
  'near_duplicate_check.max_distance': 'a finding begins at it, so that it turns the other way: see below',
  'near_duplicate_check.min_shared_percent': 'a finding begins at it, so that it turns the other way: see below',
  'resolution_check.print_width_mm': 'a size, of which the resolution is computed',
  'resolution_check.print_height_mm': 'a size, of which the resolution is computed',
  'required_text_check.least_likeness': 'decides between damaged and missing, which both fail',
  'audio_presence_check.streams': 'a number that has to be met',
  'loudness_check.target_lufs': 'a target: its tolerance is swept',
  'dialogue_loudness_check.target_lufs': 'a target: its tolerance is swept',
  'dialogue_loudness_check.otherwise_lufs': 'a target: its tolerance is swept',
  'dialogue_loudness_check.least_percent': 'says which loudness is compared, that of the dialogue or of the whole',
  'page_size_check.width_mm': 'a target: its tolerance is swept',
  'page_count_check.multiple_of': 'a number that divides: every multiple of it passes',
  'spread_check.page_width_mm': 'a target: its tolerance is swept',
  'page_size_check.height_mm': 'a target: its tolerance is swept',
  'text_legibility_check.shown_width_px': 'says how wide it is shown, by which the height is reckoned',
  'image_resolution_check.min_side_mm': 'says which images are evaluated',
  'caption_coverage_check.video_seconds': 'a length that captions have to fit from both sides',
}

const NUMBERS = CATALOGUE.flatMap((check) =>
  Object.entries(check.thresholds.shape)
    .filter(([, shape]) => isNumber(shape))
    .map(([key]) => `${check.id}.${key}`),
)

function isNumber(shape: unknown): boolean {
  if (shape instanceof z.ZodNumber) return true
  if (shape instanceof z.ZodDefault || shape instanceof z.ZodNullable) return isNumber(shape.unwrap())
  return false
}

test('every threshold that is a number is swept, or says why it cannot be', () => {
  const known = [...Object.keys(SWEEPS), ...Object.keys(NOT_SWEPT)]
  expect(NUMBERS.filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !NUMBERS.includes(name))).toEqual([])
})

/** A decimal as a person types it. */
const typed = (value: number) => Number(value.toPrecision(12))

/** What the check says of a file under each value of the threshold; values that it does not take are left out. */
function verdicts(name: string, file: Subject, limits: readonly number[], besides: Record<string, unknown> = {}) {
  const [id = '', key = ''] = name.split('.')
  const check = CATALOGUE.find((each) => each.id === id)
  if (!check) throw new Error(`There is no check ${id}.`)
  return limits.flatMap((limit) => {
    const thresholds = { ...besides, [key]: limit }
    if (!check.thresholds.safeParse(thresholds).success) return []
    const settings = { confidence_floor: 0, checks: { [id]: { enabled: true, severity: 'fail' as const, thresholds } } }
    const [line] = runChecks(file, settings, [check]).checks
    if (line?.status !== 'pass' && line?.status !== 'fail' && line?.status !== 'warning')
      throw new Error(`${name} ${limit}: ${line?.status}, ${line?.details}`)
    return [{ limit, passes: line.status === 'pass' }]
  })
}

/** From far below to far above, in steps of the grain around the value. */
function around(value: number, grain: number): number[] {
  const far = [0.01, 0.1, 0.5, 0.9].flatMap((share) => [
    value - Math.abs(value) * share,
    value + Math.abs(value) / share,
  ])
  const near = list(81, (index) => value + (index - 40) * grain)
  const isWhole = Number.isInteger(grain)
  return [...new Set([...far, ...near].map((each) => (isWhole ? Math.round(each) : typed(each))))].sort((a, b) => a - b)
}

describe.each(Object.entries(SWEEPS))('%s', (name, { limit, file, values, step, grain = 1, besides }) => {
  test.each(values)('turns once, at the measured %d', (value) => {
    const said = verdicts(name, file(value), around(value, grain), besides)
    expect(said.find((each) => each.limit === value)?.passes, 'a threshold equal to the measured value passes').toBe(
      true,
    )
    const turns = said.filter(({ passes }, index) => index > 0 && passes !== said[index - 1]?.passes)
    expect(turns.length, `turns: ${turns.map((turn) => turn.limit)}`).toBeLessThanOrEqual(1)
    for (const each of said) {
      const over = limit === 'most' ? each.limit - value : value - each.limit
      if (over >= 0) expect(each.passes, `${each.limit}`).toBe(true)
      else if (over < -step - 1e-9) expect(each.passes, `${each.limit}`).toBe(false)
    }
  })
})

test('a file as near as the threshold is a near-duplicate, one that is farther is none', () => {
  const neighbour = (distance: number) => image({}, { neighbours: [{ fileId: 'other', name: 'other.png', distance }] })
  for (const distance of list(17, (index) => index)) {
    const said = verdicts(
      'near_duplicate_check.max_distance',
      neighbour(distance),
      list(17, (index) => index),
    )
    expect(said.map(({ passes }) => passes)).toEqual(list(17, (limit) => limit < distance))
  }
  const sharing = (shared: number, of: number) =>
    video(
      {},
      { neighbours: [{ fileId: 'other', name: 'other.mp4', distance: 0, video: { shared, of, isOtherSize: false } }] },
    )
  for (const [shared, of] of [
    [7, 25],
    [29, 100],
    [1, 3],
    [14, 25],
  ] as const) {
    const said = verdicts(
      'near_duplicate_check.min_shared_percent',
      sharing(shared, of),
      list(100, (index) => index + 1),
    )
    expect(said.map(({ passes }) => passes)).toEqual(list(100, (index) => (index + 1) * of > shared * 100))
  }
})

test.each(
  [
    [-23, 0.5],
    [-14.1, 0.7],
    [-23.4, 1.1],
  ].flatMap(([measured = 0, tolerance = 0]) => [{ measured, tolerance }]),
)('a loudness target passes within $tolerance LU of $measured LUFS, both ends included', ({ measured, tolerance }) => {
  const file = audioTrack({ loudness: { integrated: measured } })
  const targets = list(601, (index) => typed(measured + (index - 300) / 100))
  const said = verdicts('loudness_check.target_lufs', file, targets, {
    tolerance_lu: tolerance,
    max_true_peak_dbtp: null,
  })
  const wanted = targets.map((target) => Math.abs(target - measured) <= tolerance + 0.0051)
  expect(said.map(({ passes }) => passes)).toEqual(wanted)
})

test.each([148, 210, 297.3])(
  'a page of %d mm passes where its size is wanted, and half a millimetre beside it',
  (side) => {
    const page = documentPages({ trimBox: { xMm: 5, yMm: 5, widthMm: side, heightMm: 297 } })
    const widths = list(401, (index) => typed(side + (index - 200) / 100))
    const said = verdicts('page_size_check.width_mm', page, widths, { height_mm: 297 })
    expect(said.map(({ passes }) => passes)).toEqual(widths.map((width) => Math.abs(width - side) <= 0.5 + 1e-9))
  },
)
