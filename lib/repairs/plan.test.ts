import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '@/lib/checks/catalogue'
import { archive, audioTrack, documentPages, image, trackFacts, video } from '@/lib/checks/testing'
import { evaluateDestinations } from '@/lib/destinations/evaluate'
import type { Specification } from '@/lib/destinations/specification'
import { planRepair } from './plan'
import { describeSteps, type RepairStep } from './steps'

const wanted = (id: string, thresholds: Record<string, unknown> = {}) => {
  const check = CATALOGUE.find((each) => each.id === id)
  if (!check) throw new Error(`There is no ${id}.`)
  return { check, thresholds }
}
const loudness = (integrated: number, truePeak: number) =>
  audioTrack({ loudness: { ...trackFacts().loudness, integrated, truePeak, maxShortTerm: integrated + 2 } })

describe('what a machine repairs', () => {
  test.each([
    // [integrated, true peak, gain]
    [-18, -3, -5],
    [-30, -20, 7],
    // All of it would push the peak to -0.5 dBTP: as much as the tolerance and the peak allow.
    [-24.2, -2.4, 1.1],
  ])('audio of %d LUFS with peaks of %d dBTP is changed by %d dB', (integrated, truePeak, gain) => {
    const { steps, fixes } = planRepair(loudness(integrated, truePeak), [
      wanted('loudness_check', { target_lufs: -23, tolerance_lu: 0.5, max_true_peak_dbtp: -1 }),
    ])
    expect(fixes).toEqual(['loudness_check'])
    expect(steps).toEqual([{ do: 'gain', track: 0, gain_db: expect.closeTo(gain, 1) }])
  })

  test('audio whose peaks leave no room for its gain is left to a person', () => {
    const limits = { target_lufs: -23, tolerance_lu: 0.5, max_true_peak_dbtp: -1 }
    const plan = planRepair(loudness(-30, -4), [wanted('loudness_check', limits)])
    expect(plan).toMatchObject({ steps: [], fixes: [], left: [{ check_id: 'loudness_check', why: /limiter/ }] })
  })

  describe('dialogue', () => {
    const film = { target_lufs: -27, otherwise_lufs: -24 }
    const spoken = (dialogue: number, { truePeak = -8, share = 0.6, integrated = -20 } = {}) =>
      audioTrack({
        loudness: { integrated, truePeak },
        dialogue: { loudness: dialogue, share, certainty: 0.97, at: [{ start: 1, end: 9 }] },
      })

    test.each([
      ['quiet', spoken(-31), 4],
      ['loud', spoken(-22, { truePeak: -1 }), -5],
      // To the lower end of its tolerance, as its peaks may not rise by more.
      ['quiet, with peaks that leave little room', spoken(-30, { truePeak: -3.5 }), 1.2],
      ['hardly there: the whole counts', spoken(-40, { share: 0.05, integrated: -19 }), -5],
    ])('%s: all is made louder or quieter', (_, file, gain) => {
      const { steps, fixes } = planRepair(file, [wanted('dialogue_loudness_check', film)])
      expect(fixes).toEqual(['dialogue_loudness_check'])
      expect(steps).toEqual([{ do: 'gain', track: 0, gain_db: expect.closeTo(gain, 1) }])
    })

    test('whose peaks leave no room is left to a person', () => {
      const plan = planRepair(spoken(-33, { truePeak: -3 }), [wanted('dialogue_loudness_check', film)])
      expect(plan).toMatchObject({ steps: [], fixes: [], left: [{ why: /limiter/ }] })
    })

    test('and peaks are brought down by one gain', () => {
      const plan = planRepair(spoken(-22, { truePeak: -0.5 }), [
        wanted('loudness_check', { max_true_peak_dbtp: -2 }),
        wanted('dialogue_loudness_check', film),
      ])
      expect(plan.fixes).toEqual(['loudness_check', 'dialogue_loudness_check'])
      expect(plan.steps).toEqual([{ do: 'gain', track: 0, gain_db: -5 }])
    })

    test('that a gain for its peaks would make too quiet is said to be', () => {
      const plan = planRepair(spoken(-28.9, { truePeak: -0.5 }), [
        wanted('loudness_check', { max_true_peak_dbtp: -2 }),
        wanted('dialogue_loudness_check', film),
      ])
      expect(plan.fixes).toEqual(['loudness_check'])
      expect(plan.left).toMatchObject([{ check_id: 'dialogue_loudness_check' }])
    })
  })

  test('bleed is never painted by a machine', () => {
    const plan = planRepair(documentPages({ trimBox: null }), [wanted('bleed_check', { min_mm: 3 })])
    expect(plan.steps).toEqual([])
    expect(plan.left[0]?.why).toContain('needs the designer')
  })

  test('a page without a trim box gets one only where it is as large as is wanted', () => {
    const asked = (width: number) =>
      planRepair(documentPages({ widthMm: 210, heightMm: 297, trimBox: null, artBox: null, bleedBox: null }), [
        wanted('page_size_check', { width_mm: width, height_mm: 297, require_trim_box: true }),
      ]).steps
    expect(asked(210)).toEqual([{ do: 'trim_boxes' }])
    expect(asked(204)).toEqual([])
  })

  test('an image in the printer’s colours is left to a person, whichever profile it has', () => {
    const cmyk = image({ colourSpace: 'cmyk', hasProfile: false, profileColourSpace: null, profileName: null })
    expect(
      planRepair(cmyk, [wanted('colour_space_check', { allowed: ['cmyk'], require_profile: true })]).steps,
    ).toEqual([])
  })

  test('what no step would make pass is not planned: a check decides, not a recipe', () => {
    // Without its litter the archive still holds too many files.
    const entries = ['index.html', '.DS_Store', 'a.png', 'b.png'].map((path) => ({ path, size: 9, compressedSize: 9 }))
    const packed = archive({ entries, entryCount: 4 })
    const plan = planRepair(packed, [wanted('archive_check', { max_files: 2 })])
    expect(plan).toMatchObject({ steps: [], fixes: [] })
    expect(planRepair(packed, [wanted('archive_check', { max_files: 3 })]).fixes).toEqual(['archive_check'])
  })

  test('several findings are one copy, and one sentence', () => {
    const plan = planRepair(video({ fastStart: false, hasPosition: true }), [
      wanted('fast_start_check'),
      wanted('metadata_privacy_check'),
    ])
    expect(plan.steps.map((step: RepairStep) => step.do)).toEqual(['remove_position', 'fast_start'])
    expect(describeSteps(plan.steps)).toBe(
      'In the repaired copy the position where it was taken is gone and the index lies before the frames; nothing else was changed.',
    )
  })
})

describe('a destination', () => {
  const asking = (...requirements: { check: string; thresholds: Record<string, unknown> }[]): Specification => ({
    id: 'somewhere',
    version: 1,
    title: 'Somewhere',
    family: 'web',
    kinds: ['video'],
    source: { publisher: 'A publisher', document: 'A document', date: '2026', url: 'https://example.com' },
    maintained_by: 'Greenroom',
    requirements: requirements.map((each) => ({ ...each, level: 'required' as const, clause: 'Clause 1' })),
    not_checked: [],
  })
  const late = video({ fastStart: false })

  test('is fitted after repair where all that is missing can be fixed', () => {
    const [result] = evaluateDestinations(late, [asking({ check: 'fast_start_check', thresholds: {} })])
    expect(result).toMatchObject({ verdict: 'fits_after_repair', repair: [{ do: 'fast_start' }] })
  })

  test('is not fitted where something else is missing, too', () => {
    const [result] = evaluateDestinations(late, [
      asking(
        { check: 'fast_start_check', thresholds: {} },
        { check: 'duration_check', thresholds: { max_seconds: 0.1 } },
      ),
    ])
    expect(result?.verdict).toBe('does_not_fit')
    expect(result).not.toHaveProperty('repair')
  })
})
