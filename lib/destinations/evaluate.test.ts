import { describe, expect, test } from 'vitest'
import type { Subject } from '@/lib/checks/check'
import { archive, audio, audioTrack, document, image, pageFacts, ranAd, video, videoFrames } from '@/lib/checks/testing'
import type { MediaKind } from '@/lib/vocabulary'
import { evaluateDestinations } from './evaluate'
import { LIBRARY } from './library'
import type { Specification } from './specification'

const asking = (
  kinds: MediaKind[],
  ...requirements: { check: string; thresholds?: object; level?: 'required' | 'recommended' }[]
): Specification => ({
  id: 'own',
  version: 3,
  title: 'Own',
  family: 'broadcast',
  kinds,
  source: { publisher: 'Own', document: 'Own', date: '2026', url: 'https://example.com' },
  maintained_by: 'Ann',
  requirements: requirements.map(({ check, thresholds = {}, level = 'required' }) => ({
    check,
    thresholds: { ...thresholds },
    level,
    clause: `clause of ${check}`,
  })),
  not_checked: [],
})

function evaluate(file: Subject, destination: Specification) {
  const [result] = evaluateDestinations(file, [destination])
  if (!result) throw new Error('no result')
  return result
}
const shipped = (id: string) => LIBRARY.find((one) => one.id === id) as Specification

describe('a verdict', () => {
  const loud = asking(['video', 'audio'], {
    check: 'loudness_check',
    thresholds: { target_lufs: -23, tolerance_lu: 0.5 },
  })

  test('fits, with what was measured and the clause', () => {
    expect(evaluate(audioTrack(), loud)).toMatchObject({
      destination_id: 'own',
      version: 3,
      verdict: 'fits',
      requirements: [{ check_id: 'loudness_check', outcome: 'met', measured: -23, clause: 'clause of loudness_check' }],
    })
  })

  test('does not fit, with what was measured and wanted', () => {
    const { verdict, requirements } = evaluate(audioTrack({ loudness: { integrated: -18 } }), loud)
    // Made quieter it would.
    expect(verdict).toBe('fits_after_repair')
    expect(requirements[0]).toMatchObject({ outcome: 'not_met', measured: -18, expected: -23, unit: 'LUFS' })
    expect(requirements[0]?.details).toMatch(/-18 LUFS integrated.*-23 LUFS ± 0.5 LU is wanted/)
  })

  test('is unknown where it was not measured, a quick measurement included', () => {
    const unmeasured = { ...audioTrack(), measures: {} }
    expect(evaluate(unmeasured, loud)).toMatchObject({ verdict: 'unknown', requirements: [{ outcome: 'unknown' }] })
    expect(evaluate({ ...unmeasured, depth: 'quick' }, loud).verdict).toBe('unknown')
    const failed = evaluate({ ...audioTrack(), media: { failed: 'it took too long' } }, loud)
    expect(failed).toMatchObject({
      verdict: 'unknown',
      requirements: [{ details: expect.stringMatching(/took too long/) }],
    })
    expect(evaluate(audioTrack({ loudness: { integrated: null } }), loud).verdict).toBe('unknown')
  })

  test('is unknown where the engine is less sure than a fail needs', () => {
    const { verdict, requirements } = evaluate(audioTrack({ loudness: { integrated: -22.45 } }), loud)
    expect(verdict).toBe('unknown')
    expect(requirements[0]?.details).toMatch(/Needs eyes/)
  })

  test('what is not met decides before what is unknown', () => {
    const both = asking(['audio'], ...loud.requirements, {
      check: 'sample_rate_check',
      thresholds: { rates_hz: [44_100] },
    })
    expect(evaluate({ ...audioTrack(), measures: {} }, both).verdict).toBe('does_not_fit')
  })

  test('a video without audio has no loudness: that requirement does not apply', () => {
    const silent = video({ audio: [] })
    expect(evaluate(silent, loud)).toMatchObject({ verdict: 'unknown', requirements: [{ outcome: 'not_applicable' }] })
    const sized = asking(['video'], ...loud.requirements, {
      check: 'dimension_check',
      thresholds: { sizes: ['1920x1080'] },
    })
    expect(evaluate(silent, sized).verdict).toBe('fits')
  })

  test('a recommendation is reported and decides nothing', () => {
    const recommended = asking(
      ['audio'],
      { check: 'sample_rate_check', thresholds: { rates_hz: [48_000] } },
      { check: 'bitrate_check', thresholds: { max_kbps: 1 }, level: 'recommended' },
    )
    expect(evaluate(audio(), recommended)).toMatchObject({
      verdict: 'fits',
      requirements: [{ outcome: 'met' }, { outcome: 'not_met', level: 'recommended' }],
    })
  })

  test('another kind of file does not fit, and says which is wanted', () => {
    expect(evaluate(image(), loud)).toMatchObject({
      verdict: 'does_not_fit',
      requirements: [{ check_id: null, details: 'The file is of the kind image; video or audio is wanted.' }],
    })
  })

  test('a damaged file fits nowhere; one that is still being decoded is unknown', () => {
    const damaged = {
      ...audioTrack(),
      integrity: { violations: [{ code: 'truncated', message: 'It ends early.' }], complete: true },
    }
    expect(evaluate(damaged, loud)).toMatchObject({
      verdict: 'does_not_fit',
      requirements: [{ check_id: 'integrity_check', details: expect.stringMatching(/ends early/) }, { outcome: 'met' }],
    })
    const half = { ...audioTrack(), integrity: { violations: [], complete: false } }
    expect(evaluate(half, loud).verdict).toBe('unknown')
    expect(evaluate({ ...half, depth: 'quick' }, loud).verdict).toBe('fits')
  })

  test('knows nothing of the batch: neither its media types nor what its names say', () => {
    const file = image(
      {},
      { claims: { width: 1, height: 1 }, expectations: { mediaTypes: ['image/gif'], maxFileBytes: 1 } },
    )
    const sized = asking(
      ['image'],
      { check: 'dimension_check', thresholds: { min_width: 100 } },
      { check: 'file_size_check', thresholds: { min_bytes: 1 } },
    )
    expect(evaluate(file, sized).verdict).toBe('fits')
  })

  test('asks for nothing its document does not state', () => {
    const peak = asking(['audio'], { check: 'loudness_check', thresholds: { target_lufs: -23 } })
    expect(evaluate(audioTrack({ loudness: { truePeak: 2 } }), peak).verdict).toBe('fits')
    const rate = asking(['video'], { check: 'frame_rate_check', thresholds: { rates: [25] } })
    const uneven = video({ frameRate: { average: 25, nominal: 25, constant: false } })
    expect(evaluate(uneven, rate).verdict).toBe('fits')
    const even = asking(['video'], { check: 'frame_rate_check', thresholds: { rates: [25], constant: true } })
    expect(evaluate(uneven, even).verdict).toBe('does_not_fit')
  })

  test('a check that this version does not have is unknown', () => {
    const { verdict, requirements } = evaluate(
      audio(),
      asking(['audio'], { check: 'hum_check', thresholds: { max: 1 } }),
    )
    expect(verdict).toBe('unknown')
    expect(requirements[0]?.details).toMatch(/no check “hum_check”/)
  })
})

describe('three published specifications, followed by hand', () => {
  const spot = (changes: object = {}) => video({ durationSeconds: 30, videoBitrate: 20_000_000, ...changes })

  test('EBU R 128 s1: -23 LUFS ± 0.5, short-term at most -18, true peak at most -1', () => {
    const s1 = shipped('ebu_r128_s1')
    const at = (loudness: object) => evaluate(audioTrack({ loudness }), s1).verdict
    expect(at({ integrated: -23, maxShortTerm: -18, truePeak: -1 })).toBe('fits')
    expect(at({ integrated: -22, maxShortTerm: -18, truePeak: -1 })).toBe('fits_after_repair')
    expect(at({ integrated: -25, maxShortTerm: -18, truePeak: -1 })).toBe('does_not_fit')
    expect(at({ integrated: -23, maxShortTerm: -17, truePeak: -1 })).toBe('does_not_fit')
    expect(at({ integrated: -23, maxShortTerm: -18, truePeak: -0.5 })).toBe('does_not_fit')
  })

  test('Amazon Prime Video: 15 Mbit/s, 23.976 frames per second, 30 s, 1920 × 1080, MP4', () => {
    const prime = shipped('amazon_prime_video_us')
    const fitting = { frameRate: { average: 23.976, nominal: 23.976, constant: true } }
    expect(evaluate(spot(fitting), prime).verdict).toBe('fits')
    for (const change of [
      { videoBitrate: 8_000_000 },
      { durationSeconds: 20, videoDurationSeconds: 20 },
      { displayWidth: 1280, displayHeight: 720 },
      { frameRate: { average: 50, nominal: 50, constant: true } },
      { codec: 'prores' },
      { audio: [] },
    ])
      expect(evaluate(spot({ ...fitting, ...change }), prime).verdict, JSON.stringify(change)).toBe('does_not_fit')
    expect(evaluate({ ...spot(fitting), bytes: 500_000_001 }, prime).verdict).toBe('does_not_fit')
  })

  test('PDF/X-1a:2003: stated, with trim boxes, without transparency and without RGB', () => {
    const x1a = shipped('pdf_x_1a_2003')
    const trim = { trimBox: { xMm: 3, yMm: 3, widthMm: 204, heightMm: 291 } }
    const stated = {
      pdfxVersion: 'PDF/X-1a:2003',
      pdfVersion: '1.4',
      outputIntent: 'FOGRA39',
      pageSizes: [pageFacts(trim)],
    }
    expect(evaluate(document(stated), x1a).verdict).toBe('fits')
    for (const change of [
      { pageSizes: [pageFacts()] },
      { pdfxVersion: 'PDF/X-4' },
      { hasTransparency: true },
      { colourSpaces: ['DeviceRGB'] },
      { pdfVersion: '1.6' },
    ])
      expect(evaluate(document({ ...stated, ...change }), x1a).verdict, JSON.stringify(change)).toBe('does_not_fit')
  })
})

test('an ad of 300 × 250 fits the IAB medium rectangle and not the leaderboard', () => {
  const ad = ranAd()
  expect(evaluate(ad, shipped('iab_medium_rectangle')).verdict).toBe('fits')
  expect(evaluate(ad, shipped('iab_leaderboard')).verdict).toBe('does_not_fit')
  expect(evaluate(archive(), shipped('iab_medium_rectangle')).verdict).toBe('unknown')
  expect(evaluate(image(), shipped('iab_medium_rectangle')).verdict).toBe('fits')
  expect(evaluate({ ...image(), bytes: 150_001 }, shipped('iab_medium_rectangle')).verdict).toBe('does_not_fit')
})

test('every shipped destination gives every kind of file a verdict, and none is taken by a check that broke', () => {
  for (const file of [image(), videoFrames(), audio(), document(), ranAd()]) {
    const results = evaluateDestinations(file, LIBRARY)
    expect(results.map((one) => one.destination_id)).toEqual(LIBRARY.map(({ id }) => id))
    const broken = results.flatMap(({ destination_id, requirements }) =>
      requirements
        .filter(({ details }) => /threshold “|check itself failed/.test(details))
        .map(({ details }) => `${destination_id}: ${details}`),
    )
    expect(broken).toEqual([])
  }
})
