import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collisionsOf,
  type DestinationValues,
  explainPath,
  explainTemplate,
  nextAttempt,
  pathOf,
  splitName,
} from './rules'

const values: DestinationValues = {
  agency: 'Bright',
  project: 'Spring / Summer',
  batch: 'Banners: first',
  round: '2',
  file: 'spot.final.mp4',
  name: 'spot.final',
  ext: 'mp4',
  version: '3',
  date: '2026-11-25',
}

describe('a naming template', () => {
  it.each([
    ['{project}/{batch}/{file}', 'Spring _ Summer/Banners_ first/spot.final.mp4'],
    ['{date}/{name}_v{version}.{ext}', '2026-11-25/spot.final_v3.mp4'],
    ['masters/{agency}-r{round}/{name}.{ext}', 'masters/Bright-r2/spot.final.mp4'],
  ])('%s puts the file at %s', (template, path) => {
    expect(explainTemplate(template)).toBeNull()
    expect(pathOf(template, values)).toBe(path)
  })

  it.each([
    ['{project}/{client}/{file}', /“\{client\}” is no token. Write one of .*\{batch\}/],
    ['{project', /“\{” has no other half/],
    ['project}/{file}', /“\}” has no other half/],
    ['{project}/{batch}', /all files would have one path/],
    ['/{file}', /empty folder name/],
    ['{batch}//{file}', /empty folder name/],
    ['{batch}/ /{file}', /empty folder name/],
    ['{file}/', /empty folder name/],
    ['../{file}', /“..” would lead out/],
    ['{batch}/../{file}', /would lead out/],
    ['./{file}', /would lead out/],
    ['a\\{file}', /cannot stand in a path/],
    ['a:{file}', /cannot stand in a path/],
    ['a\u202e{file}', /cannot stand in a path/],
    ['{__proto__}/{file}', /is no token/],
    ['{toString}/{file}', /is no token/],
  ])('%s is refused', (template, why) => {
    expect(explainTemplate(template)).toMatch(why)
  })

  it('leads nowhere but below the target, whatever things are called', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('..', '.', '../..', '/etc/passwd', '..\\..', ' .. ', '...', '', 'a/../../b', '\u0000', 'CON. '),
    )
    const all = fc.record({
      agency: name,
      project: name,
      batch: name,
      round: name,
      file: name,
      name,
      ext: name,
      version: name,
      date: name,
    })
    const template = fc.constantFrom(
      '{project}/{batch}/{file}',
      '{name}.{ext}',
      '{agency}{project}/x/{name}',
      'a/{ext}.{name}',
    )
    fc.assert(
      fc.property(template, all, (template, given) => {
        const path = pathOf(template, given)
        const parts = path.split('/')
        expect(parts.length).toBe(template.split('/').length)
        for (const part of parts) {
          expect(part.trim()).not.toBe('')
          expect(part).not.toMatch(/^\.+$/)
          expect(part).not.toMatch(/[. ]$|[\\:*?"<>|]|\p{Cc}/u)
        }
      }),
    )
  })
})

it('two files of one path are found, whatever their capitals', () => {
  const files = ['a/Spot.mp4', 'a/spot.mp4', 'a/other.mp4', 'a/other.mp4'].map((path) => ({ path }))
  expect(collisionsOf(files).map(([one, other]) => [files.indexOf(one), files.indexOf(other)])).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect(collisionsOf([{ path: 'caf\u00e9' }, { path: 'cafe\u0301' }])).toHaveLength(1)
})

it('names and paths that no file system takes are said', () => {
  expect(explainPath(`a/${'x'.repeat(256)}`)).toContain('longer than the 255 bytes')
  expect(explainPath(Array(9).fill('ä'.repeat(60)).join('/'))).toContain('longer than 800 bytes')
  expect(explainPath('a/b')).toBeNull()
  expect(splitName('.htaccess')).toEqual({ name: '.htaccess', ext: '' })
  expect(splitName('README')).toEqual({ name: 'README', ext: '' })
})

it('an attempt that failed is followed by five more, further and further apart', () => {
  const now = new Date('2026-11-25T10:00:00Z')
  const waits = [1, 2, 3, 4, 5, 6].map((step) => nextAttempt(step, now)?.getTime())
  expect(waits.map((at) => at && (at - now.getTime()) / 1000)).toEqual([10, 60, 300, 1800, 7200, undefined])
})
