import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AwaitedName, type Naming, nextName, nextVersions } from './next-version'
import { nameKey } from './portable-name'
import type { TokenName } from './tokens'
import { validateName } from './validate-name'

const context = { agencyCode: 'ACME', campaignCodes: ['SPRING'], extensions: ['png', 'jpg', 'mp4'] }
const naming: Naming = { template: '{agency}_{title}_{width}x{height}[_{language}]_v{version}.{ext}', context }
const SIZE: TokenName[] = ['width', 'height']
const file = (name: string, changeable: TokenName[] = [], proposed?: AwaitedName['proposed']): AwaitedName => ({
  name,
  changeable,
  ...(proposed && { proposed }),
})

/** The name of the file that matches, or why none does. */
function match(name: string, files: AwaitedName[], given: Naming = naming) {
  const found = nextVersions(given, files, new Map()).matchOf(name)
  return found.kind === 'one' ? found.file.name : found.kind
}

describe('a name that matches a rejected file', () => {
  const hero = file('ACME_Hero_300x250_v01.png')
  test.each([
    ['the same name', 'ACME_Hero_300x250_v01.png', hero.name],
    ['in any case', 'acme_hero_300x250_v01.PNG', hero.name],
    ['a higher version', 'ACME_Hero_300x250_v02.png', hero.name],
    ['a version higher by more than one', 'ACME_Hero_300x250_v10.png', hero.name],
    ['a lower version', 'ACME_Hero_300x250_v00.png', 'not_newer'],
    ['the same version written otherwise', 'ACME_Hero_300x250_v1.png', 'not_newer'],
    ['another size, which was not asked for', 'ACME_Hero_320x50_v02.png', 'none'],
    ['another title', 'ACME_Heroes_300x250_v02.png', 'none'],
    ['a language that was not there', 'ACME_Hero_300x250_en_v02.png', 'none'],
    ['another extension', 'ACME_Hero_300x250_v02.jpg', 'none'],
    ['a name that does not fit the template', 'hero final.png', 'none'],
  ])('%s', (_, name, expected) => expect(match(name, [hero])).toBe(expected))

  test('differs in what the rejection demands, with a higher version or the same', () => {
    const wrong = file('ACME_Hero_300x250_v01.png', SIZE)
    expect(match('ACME_Hero_320x50_v01.png', [wrong])).toBe(wrong.name)
    expect(match('ACME_Hero_320x50_v02.png', [wrong])).toBe(wrong.name)
    expect(match('ACME_Hero_320x50_v00.png', [wrong])).toBe('none')
    expect(match('ACME_Other_320x50_v02.png', [wrong])).toBe('none')
    expect(match('ACME_Hero_300x250_v02.jpg', [file('ACME_Hero_300x250_v01.png', ['ext'])])).toBe(wrong.name)
  })

  test('a version that may be left out counts as the first', () => {
    const optional = { template: '{title}[_v{version}].{ext}', context }
    expect(match('Hero_v2.png', [file('Hero.png')], optional)).toBe('Hero.png')
    expect(match('Hero_v1.png', [file('Hero.png')], optional)).toBe('not_newer')
    expect(match('Hero.png', [file('Hero_v2.png')], optional)).toBe('not_newer')
  })

  test('without a template only the same name, or another extension where another format is demanded', () => {
    const free = { template: null, context }
    expect(match('Hero one_v2.png', [file('Hero one_v1.png')], free)).toBe('none')
    expect(match('Hero one.jpg', [file('Hero one.png')], free)).toBe('none')
    expect(match('Hero one.jpg', [file('Hero one.png', ['ext'])], free)).toBe('Hero one.png')
    expect(nextName(free, file('Hero one.png'))).toBe('Hero one.png')
  })

  test('a name the template came after is known by what the template makes of it, too', () => {
    const old = file('acme_hero_300x250_1.png')
    expect(nextName(naming, old)).toBe('acme_hero_300x250_v2.png')
    expect(match('ACME_hero_300x250_v1.png', [old])).toBe(old.name)
    expect(match('ACME_hero_300x250_v2.png', [old])).toBe(old.name)
    expect(match('acme_hero_300x250_1.png', [old])).toBe(old.name)
  })
})

describe('of several rejected files', () => {
  test('the one with the same name is meant, before any other', () => {
    const [one, two] = [file('ACME_Hero_300x250_v1.png', SIZE), file('ACME_Hero_320x50_v2.png', SIZE)]
    expect(match('ACME_Hero_320x50_v2.png', [one, two])).toBe(two.name)
  })

  test('then the one that differs in its version alone', () => {
    const [one, two] = [file('ACME_Hero_300x250_v1.png', SIZE), file('ACME_Hero_320x50_v1.png', SIZE)]
    expect(match('ACME_Hero_320x50_v2.png', [one, two])).toBe(two.name)
    expect(match('ACME_Hero_728x90_v2.png', [one, two])).toBe('several')
  })

  test('a name that could mean either means none, and what is proposed means one', () => {
    const [one, two] = [file('ACME_Hero_300x250_v1.png'), file('ACME_Hero_300x250_v2.png')]
    expect(match('ACME_Hero_300x250_v3.png', [one, two])).toBe('several')
    const { suggestedName } = nextVersions(naming, [one, two], new Map())
    expect([suggestedName(one), suggestedName(two)]).toEqual([one.name, two.name])
  })
})

test('the proposed name raises the version, holds what was measured and belongs to no other file', () => {
  const wrong = file('ACME_Hero_300x250_v09.png', SIZE, { width: '320', height: '50' })
  expect(nextName(naming, wrong)).toBe('ACME_Hero_320x50_v10.png')
  const taken = new Map([[nameKey('ACME_Hero_320x50_v10.png'), null]])
  expect(nextVersions(naming, [wrong], taken).suggestedName(wrong)).toBe('ACME_Hero_320x50_v11.png')
  expect(nextVersions(naming, [wrong], taken).matchOf('ACME_Hero_320x50_v10.png')).toEqual({ kind: 'none' })
  expect(nextName(naming, file('ACME_Hero_300x250_v999999.png'))).toBe('ACME_Hero_300x250_v999999.png')
})

test('a former name belongs to the file that had it', () => {
  const [one, two] = [file('ACME_Hero_320x50_v1.png', SIZE), file('ACME_Logo_320x50_v1.png', SIZE)]
  const taken = new Map([[nameKey('ACME_Hero_300x250_v1.png'), one]])
  expect(nextVersions(naming, [one, two], taken).matchOf('ACME_Hero_300x250_v1.png')).toEqual({
    kind: 'one',
    file: one,
  })
  const stranger = new Map([[nameKey('ACME_Hero_300x250_v1.png'), two]])
  expect(nextVersions(naming, [one, two], stranger).matchOf('ACME_Hero_300x250_v1.png')).toEqual({ kind: 'none' })
})

describe('whatever was rejected', () => {
  const name = fc
    .record({
      title: fc.constantFrom('Hero', 'hero', 'Logo'),
      size: fc.constantFrom('300x250', '320x50'),
      language: fc.constantFrom('', '_en', '_de'),
      version: fc.constantFrom('1', '01', '2', '3', '999999'),
      ext: fc.constantFrom('png', 'jpg'),
    })
    .map((part) => `ACME_${part.title}_${part.size}${part.language}_v${part.version}.${part.ext}`)
  const awaited = fc.record({
    name: fc.oneof(name, fc.constantFrom('free name.png', 'acme_hero_300x250_1.png')),
    changeable: fc.subarray<TokenName>(['width', 'height', 'language', 'ext']),
    proposed: fc.constantFrom(undefined, { width: '728', height: '90' }),
  })
  const rejected = fc.uniqueArray(
    awaited.map(({ proposed, ...rest }): AwaitedName => {
      const isSizeWrong = proposed && SIZE.every((token) => rest.changeable.includes(token))
      return isSizeWrong ? { ...rest, proposed } : rest
    }),
    { maxLength: 8, selector: (each) => nameKey(each.name) },
  )

  test('each proposed name is taken, for its file alone, and no two are the same', () => {
    fc.assert(
      fc.property(rejected, fc.array(name, { maxLength: 4 }), (files, others) => {
        const own = new Set(files.map((each) => nameKey(each.name)))
        const taken = new Map(others.map(nameKey).flatMap((key) => (own.has(key) ? [] : [[key, null] as const])))
        const { matchOf: result, suggestedName } = nextVersions(naming, files, taken)
        const names = files.map(suggestedName)
        expect(names.map(result)).toEqual(files.map((each) => ({ kind: 'one', file: each })))
        expect(new Set(names.map(nameKey)).size).toBe(files.length)
        for (const [at, suggested] of names.entries()) {
          expect(taken.has(nameKey(suggested))).toBe(false)
          if (suggested !== files[at]?.name) expect(validateName({ ...naming, name: suggested }).accepted).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a name matches at most one file, whatever the order of the files', () => {
    fc.assert(
      fc.property(rejected, name, (files, sent) => {
        const forwards = nextVersions(naming, files, new Map()).matchOf(sent)
        const backwards = nextVersions(naming, files.toReversed(), new Map()).matchOf(sent)
        expect(backwards.kind).toBe(forwards.kind)
        if (forwards.kind === 'one') expect(backwards).toEqual(forwards)
      }),
      { numRuns: 300 },
    )
  })

  test('what differs in more than the version and what was demanded never matches', () => {
    fc.assert(
      fc.property(name, fc.constantFrom<TokenName[]>([], SIZE), (sent, changeable) => {
        const found = match(sent, [file('ACME_Hero_300x250_v1.png', changeable)])
        const [, title, size, language, ext] = /^ACME_(\w+?)_(\d+x\d+)(_[a-z]+)?_v\d+\.(\w+)$/.exec(sent) ?? []
        if (title?.toLowerCase() !== 'hero' || language || ext !== 'png') expect(found).toBe('none')
        if (changeable.length === 0 && size !== '300x250') expect(found).toBe('none')
      }),
      { numRuns: 300 },
    )
  })
})
