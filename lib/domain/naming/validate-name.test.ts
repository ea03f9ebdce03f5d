import { describe, expect, it } from 'vitest'
import { nameClaims } from './claims'
import { describeTemplate } from './describe'
import type { KnownFacts, NamingContext } from './tokens'
import { validateName } from './validate-name'

const BANNER = '{agency}_{campaign}_{title}_{width}x{height}[_{language}]_v{version}.{ext}'
const SPOT = '{agency}_{title}_{duration}[_{ratio}][_{fps}fps]_{language}-{market}_{date}_v{version}.{ext}'
const context: NamingContext = { agencyCode: 'ACME', campaignCodes: ['Spring'], extensions: ['jpg', 'png'] }
const videos: NamingContext = { agencyCode: 'ACME', campaignCodes: [], extensions: ['mp4'] }

const validateBanner = (name: string, knownFacts: KnownFacts = {}) =>
  validateName({ template: BANNER, name, context, knownFacts })
const validateSpot = (name: string) => validateName({ template: SPOT, name, context: videos })
/** `code token` of every violation, in the order of the name. */
const faults = ({ violations }: ReturnType<typeof validateName>) =>
  violations.map(({ code, token }) => (token === undefined ? code : `${code} ${token}`))

describe('a name that fits its template', () => {
  it.each([
    'ACME_Spring_Hero_300x250_v01.jpg',
    'acme_SPRING_Hero_300x250_v1.PNG',
    'ACME_Spring_Größe-L_300x250_en-GB_v123.jpg',
    'ACME_Spring_春の広告_1x99999_de_v01.png',
  ])('is accepted: %s', (name) => {
    expect(validateBanner(name)).toMatchObject({ accepted: true, violations: [], suggestion: null })
  })

  it('gives the text of every token, and what it claims about the file', () => {
    const { values } = validateSpot('ACME_Clip_15s_16x9_2997fps_en-GB_20240503_v02.mp4')
    expect(values).toEqual({
      agency: 'ACME',
      title: 'Clip',
      duration: '15s',
      ratio: '16x9',
      fps: '2997',
      language: 'en',
      market: 'GB',
      date: '20240503',
      version: '02',
      ext: 'mp4',
    })
    expect(nameClaims(values)).toEqual({ durationSeconds: 15, framesPerSecond: 29.97, ratio: { width: 16, height: 9 } })
  })

  it('is the same name in composed and decomposed Unicode', () => {
    expect(validateBanner('ACME_Spring_Gro\u0308ße_300x250_v01.jpg').values.title).toBe('Gr\u00f6ße')
  })

  it('fills an optional part when it can be read both ways', () => {
    const { values } = validateName({ template: '{text}[_{language}].{ext}', name: 'Summer_Sale_en.jpg', context })
    expect(values).toEqual({ text: 'Summer_Sale', language: 'en', ext: 'jpg' })
  })
})

describe('a name that does not fit', () => {
  it.each<[string, string[], string | null]>([
    ['ACME-Spring_Hero_300x250.jpg', ['wrong_separator', 'missing_token version'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'ACME Spring Hero 300x250 v01.jpg',
      ['wrong_separator', 'wrong_separator', 'wrong_separator', 'wrong_separator'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    [
      'ACME__Spring - Hero_300 x 250_v01.jpg',
      ['wrong_separator', 'wrong_separator', 'wrong_separator'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_Hero_300-250_v01.jpg', ['wrong_text'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300X250_V01.jpg', ['wrong_case', 'wrong_case'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_01.jpg', ['missing_text'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'ACMESpringHero300x250v01.jpg',
      ['missing_text', 'missing_text', 'missing_text', 'missing_text'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    [
      'ACME-Spring-Hero-300x250-v01.jpg',
      ['wrong_separator', 'wrong_separator', 'wrong_separator', 'wrong_separator'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_Hero_300x250-final.jpg', ['wrong_text', 'invalid_token version'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_final.jpg', ['invalid_token version'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_FINAL_v2.jpg', ['invalid_token version'], 'ACME_Spring_Hero_300x250_v2.jpg'],
    ['ACME_Spring_Hero_300x250_v01.jpg.jpg', ['doubled_extension'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_v01.psd.jpg', ['doubled_extension'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_v01 (1).jpg', ['copy_marker'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_v01 - Copy (2).jpg', ['copy_marker'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    ['ACME_Spring_Hero_300x250_v01_old.jpg', ['unexpected_text'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'ACME_Spring_Hero Banner_300x250_v01.jpeg',
      ['invalid_token title', 'wrong_extension ext'],
      'ACME_Spring_Hero-Banner_300x250_v01.jpg',
    ],
    ['ACME_Spring_Summer_Hero_300x250_v01.jpg', ['invalid_token title'], 'ACME_Spring_Summer-Hero_300x250_v01.jpg'],
    [
      'ACME_Sprnig_Hero_300x250px_v01.jpg',
      ['invalid_token campaign', 'invalid_token height'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_Hero_3OOx250_v01.jpg', ['invalid_token width'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'АСМЕ_Spring_Hеro_300×250_v01.jpg',
      ['lookalike_character agency', 'lookalike_character title', 'lookalike_character'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_Hero_300x250_english_v01.jpg', ['invalid_token language'], 'ACME_Spring_Hero_300x250_en_v01.jpg'],
    ['ACME_Spring_Hero_300x250_xx_v01.jpg', ['invalid_token language'], null],
    ['ACME_Hero_300x250_v01.jpg', ['missing_token campaign'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'Hero_300x250.jpg',
      ['missing_token agency', 'missing_token campaign', 'missing_token version'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_300x250_v01.jpg', ['missing_token title'], null],
    ['ACME_Spring_Hero_v01.jpg', ['missing_token width', 'missing_token height'], null],
    ['ACME_Spring_Hero_300x250_v01', ['missing_extension ext'], null],
    ['ACME_Spring_Hero_300x250_v01.exe', ['wrong_extension ext'], null],
    [
      'ACME_Hero_Spring_300x250_v01.jpg',
      ['misplaced_token campaign', 'misplaced_token title'],
      'ACME_Spring_Hero_300x250_v01.jpg',
    ],
    ['ACME_Spring_300x250_Hero_v01.jpg', ['misplaced_token title'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [' ACME_Spring_Hero_300x250_v01.jpg', ['edge_space_or_dot', 'unexpected_text'], 'ACME_Spring_Hero_300x250_v01.jpg'],
    [
      'ACME_Spring_He\u202ero_300x250_v01.jpg',
      ['bidirectional_control', 'invalid_token title'],
      'ACME_Spring_He-ro_300x250_v01.jpg',
    ],
    ['ads/ACME_Spring_Hero_300x250_v01.jpg', ['path_separator', 'unexpected_text'], 'ACME_Spring_Hero_300x250_v01.jpg'],
  ])('%s', (name, codes, suggestion) => {
    const verdict = validateBanner(name)
    expect(verdict.accepted).toBe(false)
    expect(faults(verdict)).toEqual(codes)
    expect(verdict.suggestion).toBe(suggestion)
  })

  it.each<[string, string[], string | null]>([
    [
      'ACME_Clip_30sec_16-9_en-UK_2024-05-03_v1.mp4',
      ['invalid_token duration', 'invalid_token ratio', 'invalid_token market', 'invalid_token date'],
      'ACME_Clip_30s_16x9_en-GB_20240503_v1.mp4',
    ],
    [
      'ACME_Clip_30S_GB-en_20241305_v1.mp4',
      ['wrong_case duration', 'misplaced_token language', 'misplaced_token market', 'invalid_token date'],
      'ACME_Clip_30s_en-GB_20240513_v1.mp4',
    ],
    [
      'ACME_Clip_30s_v1_20240503_en-GB.mp4',
      ['misplaced_token date', 'misplaced_token version'],
      'ACME_Clip_30s_en-GB_20240503_v1.mp4',
    ],
    ['ACME_Clip_30s_en-GB_03052024_v1.mp4', ['invalid_token date'], null],
    [
      'ACME_Clip_30s_en-GB_31122024_vfinal2.mp4',
      ['invalid_token date', 'invalid_token version'],
      'ACME_Clip_30s_en-GB_20241231_v2.mp4',
    ],
    ['ACME_Clip_30s_en-GB_20240503_v1.mov', ['wrong_extension ext'], null],
  ])('%s', (name, codes, suggestion) => {
    const verdict = validateSpot(name)
    expect(faults(verdict)).toEqual(codes)
    expect(verdict.suggestion).toBe(suggestion)
  })

  it('draws the name as tokens with the wrong one marked', () => {
    const { parts } = validateBanner('ACME_Spring_Hero_300x250_xx_v01.jpg')
    expect(parts.map(({ kind, text, ok }) => `${ok ? '' : '!'}${kind[0]}:${text}`).join(' ')).toBe(
      't:ACME l:_ t:Spring l:_ t:Hero l:_ t:300 l:x t:250 l:_ !t:xx l:_v t:01 l:. t:jpg',
    )
    expect(parts.find(({ token }) => token === 'language')).toEqual({
      kind: 'token',
      text: 'xx',
      token: 'language',
      ok: false,
      expected: 'a language code of two letters (ISO 639-1), optionally with a region, such as en or en-GB',
      message:
        '“xx” is not a valid language. Expected: a language code of two letters (ISO 639-1), optionally with a region, such as en or en-GB. It may also be left out.',
      suggestion: null,
      optional: true,
    })
  })

  it('says to an agency in one sentence each what is wrong, what was expected and how to fix it', () => {
    const messages = validateBanner('ACME-Spring_Hero_300x250.jpg').violations.map(({ message }) => message)
    expect(messages).toEqual([
      '“-” stands after “ACME”, where “_” was expected. Write “_”.',
      'The version is missing after “ACME-Spring_Hero_300x250”. Expected: the version in digits, such as 01. Write it there as in “_v01”.',
    ])
  })

  it('never shows an invisible character as it is', () => {
    const { violations } = validateBanner('ACME_Spring_He\u202ero_300x250_v01.jpg')
    expect(violations.map(({ message }) => message).join()).not.toContain('\u202e')
    expect(violations.map(({ message }) => message).join()).toContain('[U+202E]')
  })

  it('names the campaign codes among which to choose', () => {
    const several = { ...context, campaignCodes: ['SPRING24', 'WINTER25'] }
    const [violation] = validateName({
      template: '{campaign}_{title}.{ext}',
      name: 'X_Hero.jpg',
      context: several,
    }).violations
    expect(violation?.expected).toBe('one of the campaign codes SPRING24 or WINTER25')
    expect(violation?.suggestion).toBeUndefined()
  })
})

describe('what the file itself says', () => {
  it('fills what the name lacks', () => {
    const verdict = validateBanner('ACME_Spring_Hero_v01.jpg', { width: 300, height: 250 })
    expect(verdict.suggestion).toBe('ACME_Spring_Hero_300x250_v01.jpg')
    expect(verdict.violations.map(({ suggestion }) => suggestion)).toEqual([verdict.suggestion, verdict.suggestion])
  })

  it('corrects a size that is written properly and wrong, without refusing the name', () => {
    const verdict = validateBanner('ACME_Spring_Hero_300x205_v01.jpg', { width: 300, height: 250 })
    expect(verdict).toMatchObject({ accepted: true, violations: [], suggestion: 'ACME_Spring_Hero_300x250_v01.jpg' })
    expect(verdict.parts.find(({ token }) => token === 'height')).toMatchObject({
      ok: true,
      message: 'The name says “205” for the height; the file itself has “250”.',
      suggestion: '250',
    })
  })

  it('proposes nothing that would be read in another way and fixed again', () => {
    const template = '{channel}[x{width}][-v{ratio}].{date}-v{market}[-v{fps}][.{placement}].{ext}'
    const name = 'aA9x0v-v1.91x1.20831219-vUS-v2997.mp4'
    const knownFacts = { width: 640, height: 360, durationSeconds: 20, fps: 25 }
    expect(validateName({ template, name, context: videos, knownFacts })).toMatchObject({
      accepted: true,
      suggestion: null,
    })
  })

  it('knows lengths, rates and ratios by their usual names', () => {
    const name = 'ACME_Clip_60s_4x3_25fps_en-GB_20240503_v01.mp4'
    const knownFacts = { width: 1920, height: 1080, durationSeconds: 30.04, fps: 30000 / 1001 }
    expect(validateName({ template: SPOT, name, context: videos, knownFacts }).suggestion).toBe(
      'ACME_Clip_30s_16x9_29.97fps_en-GB_20240503_v01.mp4',
    )
  })

  it('does not quarrel about a rounded length', () => {
    const name = 'ACME_Clip_30s_en-GB_20240503_v01.mp4'
    expect(
      validateName({ template: SPOT, name, context: videos, knownFacts: { durationSeconds: 30.4 } }).suggestion,
    ).toBeNull()
  })
})

describe('without a template', () => {
  it('any portable name with an allowed extension is accepted', () => {
    expect(validateName({ template: null, name: 'Frühling – Größe L.png', context })).toMatchObject({
      accepted: true,
      violations: [],
    })
  })

  it('a name that is not portable is refused, with the nearest one that is', () => {
    const verdict = validateName({ template: null, name: '../CON.jpg', context })
    expect(verdict.violations.map(({ code }) => code)).toEqual(['path_separator', 'edge_space_or_dot'])
    expect(verdict.suggestion).toBe('file-CON.jpg')
  })
})

describe('with a template', () => {
  it('that spells out the extension, only that one is accepted, in any case', () => {
    const validate = (name: string) => validateName({ template: '{title}.tif', name, context })
    expect(validate('Hero.TIF').accepted).toBe(true)
    expect(validate('Hero.tiff')).toMatchObject({ accepted: false, suggestion: 'Hero.tif' })
    expect(faults(validate('Hero.jpg'))).toEqual(['wrong_extension ext'])
  })

  it('that cannot be read, every name is refused with the reason', () => {
    const verdict = validateName({ template: '{wombat}', name: 'a.jpg', context })
    expect(faults(verdict)).toEqual(['invalid_template'])
  })

  it('a name that is reserved on Windows is refused though it fits', () => {
    expect(faults(validateName({ template: '{title}.{ext}', name: 'CON.jpg', context }))).toEqual(['reserved_name'])
  })

  it('names too long to read are refused once', () => {
    expect(faults(validateBanner(`${'a'.repeat(300)}.jpg`))).toEqual(['name_too_long'])
  })
})

describe('describeTemplate', () => {
  it('explains each token with the codes of the project filled in', () => {
    expect(describeTemplate('{agency}_{title}[_{language}].{ext}', context)).toEqual({
      template: '{agency}_{title}[_{language}].{ext}',
      example: 'ACME_Hero_en.jpg',
      tokens: [
        { token: 'agency', label: 'Agency', expected: 'the agency code ACME', example: 'ACME', optional: false },
        {
          token: 'title',
          label: 'Title',
          expected: 'letters, digits and hyphens, such as Hero',
          example: 'Hero',
          optional: false,
        },
        {
          token: 'language',
          label: 'Language',
          expected: 'a language code of two letters (ISO 639-1), optionally with a region, such as en or en-GB',
          example: 'en',
          optional: true,
        },
        {
          token: 'ext',
          label: 'File extension',
          expected: 'one of the extensions jpg or png',
          example: 'jpg',
          optional: false,
        },
      ],
    })
  })

  it('gives an example that is accepted also where there is no template', () => {
    const { example } = describeTemplate(null, context)
    expect(validateName({ template: null, name: example, context }).accepted).toBe(true)
  })
})
