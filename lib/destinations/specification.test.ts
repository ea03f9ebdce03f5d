import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { LIBRARY } from './library'
import { readLocatedJson } from './located-json'
import { NEUTRAL, parseSpecification, REQUIREMENT_CHECKS } from './specification'

const folder = path.join(import.meta.dirname, 'library')
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))

const specification = {
  id: 'own_spot',
  version: 1,
  title: 'Own spot',
  family: 'broadcast',
  kinds: ['video'],
  source: { publisher: 'Own channel', document: 'Delivery', date: '2026-03', url: 'https://example.com/delivery' },
  maintained_by: 'Ann',
  requirements: [{ check: 'loudness_check', thresholds: { target_lufs: -23 }, clause: '4.2' }],
}
const written = (changes: object = {}) => JSON.stringify({ ...specification, ...changes }, null, 2)
const requiring = (requirement: object) => written({ requirements: [requirement] })

/** The faults of a document, each as `line: message`. */
function faultsIn(text: string): string[] {
  const parsed = parseSpecification(text)
  return parsed.ok ? [] : parsed.faults.map(({ line, message }) => `${line}: ${message}`)
}

describe('the library', () => {
  test.each(documents)('$name is a specification without faults, in a file of its name', ({ name, text }) => {
    expect(faultsIn(text)).toEqual([])
    const { id, family } = JSON.parse(text)
    expect(name).toBe(path.join(family, `${id}.json`))
  })

  test('is what its files say, each id once, at least fifty of them', () => {
    const ids = LIBRARY.map(({ id }) => id).sort()
    expect(ids).toEqual(documents.map(({ text }) => JSON.parse(text).id).sort())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(50)
  })
})

describe('a document', () => {
  test('is read, and what it leaves out has its default', () => {
    const parsed = parseSpecification(`\ufeff${written()}`)
    expect(parsed).toMatchObject({ ok: true, specification: { id: 'own_spot', not_checked: [] } })
    expect(parsed.ok && parsed.specification.requirements[0]?.level).toBe('required')
  })

  test('that is not JSON names the line and what stands there', () => {
    expect(faultsIn('{\n  "id": "a",\n  version: 1\n}')).toEqual([
      '3: This is not JSON. Expected a key in double quotes; got “version”.',
    ])
    expect(faultsIn('{\n  "id": "a"\n  "version": 1\n}')).toEqual([
      '3: This is not JSON. Expected a comma or }; got “"version"”.',
    ])
    expect(faultsIn('{\n  "id": 01\n}')).toEqual(['2: This is not JSON. Expected a comma or }; got “1”.'])
    expect(faultsIn('{ "id": "a",\n')).toEqual([
      '2: This is not JSON. Expected a key in double quotes; the document ends here.',
    ])
    expect(faultsIn('')).toEqual(['1: This is not JSON. Expected a value; the document ends here.'])
    expect(faultsIn('{}\n\n{}')).toEqual(['3: This is not JSON. Expected the end of the document; got “{”.'])
  })

  test('that says a key twice is refused, as one of both would be lost', () => {
    expect(faultsIn('{\n  "id": "a",\n  "id": "b"\n}')).toEqual([
      '3: This is not JSON. The key “id” stands here for the second time; leave one out.',
    ])
  })

  test('with text that cannot be stored names the line of it', () => {
    expect(faultsIn('{\n  "id": "a\\u0000b"\n}')).toEqual([
      '2: This is not JSON. NUL characters and broken Unicode are not allowed in text.',
    ])
    expect(faultsIn('{\n\n  "\\ud800": 1\n}')).toEqual([expect.stringMatching(/^3: .*broken Unicode/)])
  })

  test('that is nested without end, or too long, is refused', () => {
    expect(faultsIn('['.repeat(100_000))).toEqual(['1: This is not JSON. Values are nested deeper than 20 levels.'])
    expect(faultsIn(' '.repeat(200_001))).toEqual(['1: The document has 200001 characters; at most 200000 are read.'])
  })

  test.each([
    ['a wrong word', { family: 'radio' }, /^5: family must be one of .*“broadcast”.*; got “radio”\.$/],
    ['an unknown field', { colour: 'red' }, /^\d+: “colour” is not a field/],
    ['a wrong id', { id: 'Own Spot' }, /^2: id: lower-case letters.*; got “Own Spot”\.$/],
    ['a version of nought', { version: 0 }, /^3: version must be at least 1; got “0”\.$/],
    [
      'an address of another kind',
      { source: { ...specification.source, url: 'javascript:alert(1)' } },
      /^13: source\.url/,
    ],
    ['a day that is none', { source: { ...specification.source, date: '2026-13' } }, /^12: source\.date.*“2026-13”/],
    ['no requirement', { requirements: [] }, /^16: requirements must have at least 1 entry/],
  ])('with %s names the line of it and quotes it', (_, changes, fault) => {
    expect(faultsIn(written(changes))).toEqual([expect.stringMatching(fault)])
  })

  test.each([
    [
      'a check there is not',
      { check: 'colour_check', thresholds: { a: 1 }, clause: 'x' },
      /^18: .*“colour_check”.*loudness_check/,
    ],
    [
      'a check of the batch',
      { check: 'required_text_check', thresholds: {}, clause: 'x' },
      /^18: .*“required_text_check”/,
    ],
    [
      'a check of another kind',
      { check: 'bleed_check', thresholds: { min_mm: 3 }, clause: 'x' },
      /^18: .*applies to document.*takes video/,
    ],
    [
      'a threshold the check does not have',
      { check: 'loudness_check', thresholds: { lufs: -23 }, clause: 'x' },
      /^20: Loudness: “lufs” is not a field/,
    ],
    [
      'a value the threshold cannot have',
      { check: 'loudness_check', thresholds: { target_lufs: '-23' }, clause: 'x' },
      /^20: Loudness: target_lufs must be a number; got “-23”\.$/,
    ],
    [
      'no threshold',
      { check: 'loudness_check', clause: 'x' },
      /^17: Loudness is asked for without a threshold\. State one of target_lufs/,
    ],
    ['no clause', { check: 'fast_start_check' }, /^17: requirements\.0\.clause must be text; it is missing\.$/],
  ])('that requires %s names the line of it', (_, requirement, fault) => {
    expect(faultsIn(requiring(requirement))).toEqual([expect.stringMatching(fault)])
  })

  test('hosts that may be asked have to be stated, as the check has a list of its own', () => {
    const hosts = (thresholds: object) =>
      written({ kinds: ['archive'], requirements: [{ check: 'external_request_check', thresholds, clause: 'x' }] })
    expect(faultsIn(hosts({ https_only: true }))).toEqual([expect.stringMatching(/without allowed_hosts/)])
    expect(faultsIn(hosts({ allowed_hosts: [] }))).toEqual([])
  })
})

describe('what a requirement does not state', () => {
  const asksNothing = ['null', 'false', '[]', '{}', '"any"']
  /** How another threshold is meant, permissions, and what a document has to state itself. */
  const harmless = /tolerance|^min_side_mm$|^allowed$|^allowed_hosts$/

  test.each(Object.entries(NEUTRAL))('%s: its neutral thresholds are thresholds of the check', (id, thresholds) => {
    const check = REQUIREMENT_CHECKS.find((one) => one.id === id)
    expect(check?.thresholds.strict().safeParse(thresholds).success).toBe(true)
  })

  test('asks nothing: of checks with several thresholds, each that has a default of its own has a neutral one', () => {
    const forgotten = REQUIREMENT_CHECKS.flatMap((check) => {
      const defaults = Object.entries(check.thresholds.parse({}) as Record<string, unknown>)
      if (defaults.length < 2) return []
      return defaults
        .filter(
          ([key, value]) =>
            !asksNothing.includes(JSON.stringify(value)) && !harmless.test(key) && !(key in (NEUTRAL[check.id] ?? {})),
        )
        .map(([key, value]) => `${check.id} ${key} ${JSON.stringify(value)}`)
    })
    expect(forgotten).toEqual([])
  })
})

test('lines are counted in a document of many values', () => {
  const json = readLocatedJson(`[\n${'1,\n'.repeat(50_000)}{ "a": [true] }]`)
  expect(json.ok && json.lineOf('50000.a.0')).toBe(50_002)
  expect(json.ok && json.lineOf('50000.b.c')).toBe(50_002)
})
