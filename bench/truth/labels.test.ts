import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LABELS_FILE, readLabels, WrongLabels } from './labels'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'corpus-'))
  writeFileSync(path.join(folder, 'hero.png'), 'bytes of a hero')
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (text: string) => writeFileSync(path.join(folder, LABELS_FILE), text)
const GOOD = { file: 'hero.png', check: 'sharpness_check', expected: 'pass' }

/** Each label on a line of its own: the first stands on line 2. */
const writeLabels = (...labels: object[]) =>
  write(`{"labels": [\n${labels.map((label) => JSON.stringify(label)).join(',\n')}\n]}`)

function faults(): string {
  try {
    readLabels(folder)
  } catch (error) {
    if (error instanceof WrongLabels) return error.message.replaceAll(path.join(folder, LABELS_FILE), 'labels.json')
    throw error
  }
  return ''
}

test('a label becomes a file of the labelled set, with its settings and the bytes of the corpus', async () => {
  writeLabels(GOOD, {
    ...GOOD,
    expected: 'fail',
    name: 'AGY_300x250.png',
    template: '{agency}_{width}x{height}.{ext}',
    thresholds: { min_variance: 200 },
    media_types: ['image/png'],
    source: 'photographed for this purpose',
  })
  const [plain, full] = readLabels(folder)
  expect(plain).toMatchObject({ name: 'hero.png', check: 'sharpness_check', isFaulty: false, runs: false })
  expect(full).toMatchObject({
    name: 'AGY_300x250.png',
    isFaulty: true,
    template: '{agency}_{width}x{height}.{ext}',
    expects: { mediaTypes: ['image/png'], maxFileBytes: null },
  })
  const copy = path.join(folder, 'copy.png')
  await full?.write(copy)
  expect(readFileSync(copy, 'utf8')).toBe('bytes of a hero')
})

describe('what is wrong names the file, the line, the entry and what was expected', () => {
  test.each([
    ['no label of its kind', { ...GOOD, expected: 'good' }, /line 3, label 2, “expected”: .*“pass”, “fail”.*“good”/],
    ['a field that is not known', { ...GOOD, treshold: 1 }, /line 3, label 2.*: .*treshold/],
    ['a missing field', { file: 'hero.png', check: 'sharpness_check' }, /line 3, label 2, “expected”: /],
    ['no such file', { ...GOOD, file: 'none.png' }, /line 3, label 2, “file”: there is no file “none.png”/],
    ['a file elsewhere', { ...GOOD, file: '../hero.png' }, /“file”: “..\/hero.png” is not in the folder/],
    ['an absolute path', { ...GOOD, file: '/etc/hostname' }, /“file”: “\/etc\/hostname” is not in the folder/],
    [
      'no such check',
      { ...GOOD, check: 'sharp_check' },
      /“check”: there is no check “sharp_check”. The checks are inte/,
    ],
    [
      'a check of other kinds',
      { ...GOOD, check: 'duration_check' },
      /“check”: duration_check does not read files of the/,
    ],
    ['a threshold it has not', { ...GOOD, thresholds: { softness: 1 } }, /“thresholds.*”: .*softness/],
    ['a template that is none', { ...GOOD, template: '{agncy}.{ext}' }, /“template”: .*agncy/],
    ['a type that is none', { ...GOOD, content: 'image/paper' }, /“content”: “image\/paper” is no media type/],
    ['no extension', { ...GOOD, name: 'hero' }, /“file”: the extension of “hero” is not known/],
    ['a path as the name', { ...GOOD, name: 'a/hero.png' }, /“name”: “a\/hero.png” is a path/],
    ['the same once more', GOOD, /“file”: label 1 is of the same file, check and settings/],
  ])('%s', (_what, label, says) => {
    writeLabels(GOOD, label)
    expect(faults()).toMatch(/^labels.json, line 3, label 2/)
    expect(faults()).toMatch(says)
  })

  test('every fault is named at once', () => {
    writeLabels({ ...GOOD, file: 'a.png' }, { ...GOOD, check: 'b_check' })
    expect(faults().split('\n')).toHaveLength(2)
  })

  test('what is no JSON', () => {
    write('{"labels": [\n{"file": "hero.png",}\n]}')
    expect(faults()).toMatch(/^labels.json, line 2: /)
  })

  test('no labels, and no file of labels', () => {
    writeLabels()
    expect(faults()).toMatch(/^labels.json, line 1: .*at least 1/)
    rmSync(path.join(folder, LABELS_FILE))
    expect(faults()).toMatch(/^labels.json: there is no such file/)
  })
})
