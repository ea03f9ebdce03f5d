import { describe, expect, it } from 'vitest'
import { displayName } from './characters'
import { checkPortableName, nameKey, suggestPortableName } from './portable-name'

const codes = (name: string, extensions: readonly string[] = []) =>
  checkPortableName(name, extensions).map(({ code }) => code)

describe('checkPortableName', () => {
  it.each([
    'hero.jpg',
    'Frühling – Größe L.png',
    '春の広告_v01.psd',
    'إعلان.mp4',
    '🎬 trailer.mov',
    'a.b.c.tiff',
    'CONTENT.jpg',
    'COM10.jpg',
    `${'a'.repeat(196)}.jpg`,
    `${'😀'.repeat(196)}.jpg`,
  ])('accepts %j', (name) => {
    expect(checkPortableName(name, [])).toEqual([])
  })

  it.each([
    ['', ['empty_name']],
    [`${'a'.repeat(197)}.jpg`, ['name_too_long']],
    ['../hero.jpg', ['path_separator', 'edge_space_or_dot']],
    ['C:\\ads\\hero.jpg', ['path_separator', 'reserved_character']],
    ['he\u0000ro.jpg', ['control_character']],
    ['he\nro.jpg', ['control_character']],
    ['ad\u202egpj.exe.jpg', ['bidirectional_control']],
    ['he\u200bro.jpg', ['invisible_character']],
    ['he\ud800ro.jpg', ['ill_formed_unicode']],
    ['he\ufffero.jpg', ['ill_formed_unicode']],
    ['what?.jpg', ['reserved_character']],
    ['CON.jpg', ['reserved_name']],
    ['nul.tar.jpg', ['reserved_name']],
    ['LPT1 .jpg', ['reserved_name']],
    ['com¹.jpg', ['reserved_name']],
    [' hero.jpg', ['edge_space_or_dot']],
    ['hero.jpg.', ['edge_space_or_dot', 'missing_extension']],
    ['hero', ['missing_extension']],
    ['.jpg', ['edge_space_or_dot', 'missing_extension']],
    ['CON/..?\u202e', ['path_separator', 'bidirectional_control', 'reserved_character', 'missing_extension']],
  ])('refuses %j with every reason', (name, expected) => {
    expect(codes(name)).toEqual(expected)
  })

  it('compares the extension with the allowed ones without regard to case', () => {
    expect(codes('hero.JPG', ['jpg'])).toEqual([])
    expect(codes('hero.exe', ['jpg', 'png'])).toEqual(['wrong_extension'])
  })

  it('names what is invisible by its code point', () => {
    expect(checkPortableName('ad\u202egpj.jpg', [])[0]?.message).toContain('[U+202E]')
  })
})

describe('suggestPortableName', () => {
  it.each([
    ['../../ads/hero?.jpg', 'hero.jpg'],
    ['he:ro.jpg', 'he-ro.jpg'],
    [' CON.jpg. ', 'file-CON.jpg'],
    ['hero.jpeg', 'hero.jpg'],
    [`${'a'.repeat(300)}.jpg`, `${'a'.repeat(196)}.jpg`],
    ['hero\u202e.jpg', 'hero.jpg'],
  ])('fixes %j', (name, fixed) => {
    expect(suggestPortableName(name, ['jpg', 'png'])).toBe(fixed)
  })

  it.each(['hero.exe', 'hero', '???', '.jpg', ''])('proposes nothing for %j, of which too little is known', (name) => {
    expect(suggestPortableName(name, ['jpg', 'png'])).toBeNull()
  })
})

describe('nameKey', () => {
  it.each([
    ['HERO.JPG', 'hero.jpg'],
    ['Stra\u00dfe.pdf', 'STRASSE.PDF'],
    ['caf\u00e9.png', 'CAFE\u0301.png'],
    ['ΟΔΟΣ.png', 'οδος.png'],
    ['\u212aelvin.png', 'kelvin.png'],
    ['ﬁle.mp4', 'FILE.mp4'],
    ['ẞ.png', 'ss.png'],
  ])('takes %j and %j for the same file', (left, right) => {
    expect(nameKey(left)).toBe(nameKey(right))
  })

  it.each([
    ['hero.jpg', 'hero.png'],
    ['kız.jpg', 'kiz.jpg'],
    ['resume.pdf', 'résumé.pdf'],
  ])('keeps %j and %j apart', (left, right) => {
    expect(nameKey(left)).not.toBe(nameKey(right))
  })
})

describe('displayName', () => {
  it('shows what would be invisible or turn the line', () => {
    expect(displayName('a\u202eb\u0007c\ud800')).toBe('a[U+202E]b[U+0007]c[U+D800]')
  })

  it('shortens without cutting a character in half', () => {
    expect(displayName('😀😀😀', 2)).toBe('😀😀…')
  })
})

describe('a name of a hundred thousand characters', () => {
  it('is refused for its length alone', () => {
    const name = `${' '.repeat(100_000)}?.jpg`
    expect(codes(name)).toEqual(['name_too_long'])
    expect(suggestPortableName(name, ['jpg'])).toBeNull()
  })
})
