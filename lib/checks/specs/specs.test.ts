import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CATALOGUE, CHECK_IDS } from '../catalogue'
import type { Check, Subject } from '../check'
import { type CheckResult, runChecks } from '../engine'
import { archive, audio, document, image, otherFacts, subject, video } from '../testing'
import type { Spec } from './spec'

/** Runs the cases of every check through the engine. To add a check is to add a folder beside this file. */

const folders = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
const specs = new Map<string, Spec>()
for (const id of folders) specs.set(id, (await import(`./${id}/cases.ts`)).spec)

/** What a check says when it is switched on and blocking, with every finding taken at its word. */
function resultOf(check: Check, given: Subject, thresholds: Record<string, unknown> = {}): CheckResult {
  const settings = {
    confidence_floor: 0,
    checks: { [check.id]: { enabled: true, severity: 'fail' as const, thresholds } },
  }
  const [line] = runChecks(given, settings, [check]).checks
  if (!line) throw new Error(`${check.id} does not inspect ${given.kind} files.`)
  return line
}

test('every check of the catalogue has a folder, and every folder is named after its check', () => {
  expect(
    CHECK_IDS.filter((id) => !specs.has(id)),
    'checks without a folder',
  ).toEqual([])
  expect(
    [...specs].filter(([id, { check }]) => check.id !== id || !CHECK_IDS.includes(check.id)).map(([id]) => id),
    'folders of no check, or of another',
  ).toEqual([])
})

describe.each([...specs])('%s', (_id, { check, good, bad, skipped = [], error = [] }) => {
  const cases = [
    ...good.map((each) => ({ as: 'good', says: 'pass', ...each })),
    ...bad.map((each) => ({ as: 'bad', says: 'fail', ...each })),
    ...skipped.map((each) => ({ as: 'skipped', says: 'skipped', ...each })),
    ...error.map((each) => ({ as: 'error', says: 'error', ...each })),
  ]

  test.each(cases)('$as: $name', ({ given, thresholds, says, details, fix, confidence, occurrences }) => {
    const line = resultOf(check, given, thresholds)
    expect(line).toMatchObject({ check_id: check.id, status: says })
    if (details) expect(line.details).toMatch(details)
    if (fix) expect(line.fix).toMatch(fix)
    if (confidence !== undefined) expect(line.confidence).toBe(confidence)
    if (occurrences) expect(line.occurrences).toEqual(occurrences)
    if (says === 'fail') expect(line.fix, 'a fault comes with a way to fix it').toBeTruthy()
    expect(line.details).toMatch(/\.$/)
    expect(line.confidence).toBeGreaterThanOrEqual(0)
    expect(line.confidence).toBeLessThanOrEqual(1)
  })

  test('has good and bad cases, each distinguished from the others', () => {
    expect(good, 'a good case').not.toEqual([])
    expect(bad, 'a bad case').not.toEqual([])
    const names = cases.map(({ as, name }) => `${as}: ${name}`)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('has a skipped case where a file may have nothing to evaluate', () => {
    const isSkipped = check.kinds.some((kind) => resultOf(check, FAULTLESS[kind]).status === 'skipped')
    const mayNotApply = check.reads === 'media' && check.notFor !== undefined
    if (isSkipped || mayNotApply) expect(skipped, 'a skipped case').not.toEqual([])
  })
})

/** One faultless file of each kind. */
const FAULTLESS: Readonly<Record<Subject['kind'], Subject>> = {
  image: image(),
  video: video(),
  audio: audio(),
  document: document(),
  archive: archive(),
  other: subject(otherFacts()),
}

describe('without what it reads, a check says that it could not run, and why', () => {
  const failed = { failed: 'the reader ran out of its 20 s' }
  const unread = { status: 'error', details: 'Not checked: the reader ran out of its 20 s.' }

  test.each(CATALOGUE.filter((check) => check.reads === 'media'))('$id', (check) => {
    const [first] = specs.get(check.id)?.good ?? []
    if (!first) throw new Error('It has no good case.')
    const { given, thresholds } = first
    expect(resultOf(check, { ...given, media: failed }, thresholds)).toMatchObject(unread)
    for (const name of check.needs) {
      const measuring = (measure?: typeof failed) => ({ ...given, measures: { ...given.measures, [name]: measure } })
      expect(resultOf(check, measuring(failed), thresholds)).toMatchObject(unread)
      expect(resultOf(check, measuring(), thresholds).status).toBe('error')
      expect(resultOf(check, { ...measuring(), depth: 'quick' }, thresholds).status).toBe('skipped')
    }
  })
})
