import { describe, expect, it } from 'vitest'
import { parseTemplate } from './template'

/** The parts of a good template, options in square brackets, so that a test reads like the template. */
function read(source: string): string {
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.template.parts
    .map((part) => {
      const text = part.kind === 'literal' ? `'${part.text}'` : part.token
      return part.option === null ? text : `[${part.option} ${text}]`
    })
    .join(' ')
}

/** The marked text and the message of every problem. */
function problems(source: string): [string, string][] {
  const parsed = parseTemplate(source)
  return parsed.ok
    ? []
    : parsed.problems.map(({ index, length, message }) => [source.slice(index, index + length), message])
}

describe('parseTemplate', () => {
  it('reads literals, tokens and optional parts in order', () => {
    expect(read('{agency}_{title}[_{language}]_v{version}.{ext}')).toBe(
      "agency '_' title [0 '_'] [0 language] '_v' version '.' ext",
    )
  })

  it('brings a fixed extension and a trailing literal into the same form as {ext}', () => {
    expect(read('{title}_master.JPG')).toBe("title '_master' '.' ext")
    expect(read('{title}_master.{ext}')).toBe("title '_master' '.' ext")
    const parsed = parseTemplate('{title}.JPG')
    expect(parsed.ok && parsed.template.fixedExtension).toBe('jpg')
  })

  it('numbers neighbouring optional parts apart', () => {
    expect(read('{title}[_{market}][_{date}].{ext}')).toBe("title [0 '_'] [0 market] [1 '_'] [1 date] '.' ext")
  })

  it.each([
    ['{agency}_{titel}.{ext}', '{titel}', 'There is no token “titel”. Did you mean {title}?'],
    ['{Title}.{ext}', '{Title}', 'Tokens are written in small letters and without spaces: {title}.'],
    ['{title }.{ext}', '{title }', 'Tokens are written in small letters and without spaces: {title}.'],
    ['{}.{ext}', '{}', 'The braces are empty.'],
    ['{wombat}.{ext}', '{wombat}', 'There is no token “wombat”. The tokens are: agency, campaign'],
    ['{constructor}.{ext}', '{constructor}', 'There is no token “constructor”.'],
    ['{title_{version}.{ext}', '{title_', 'This “{” is never closed.'],
    ['{title}}.{ext}', '}', 'This “}” closes nothing.'],
    ['{title}[_{date}.{ext}', '[', 'This “[” is never closed.'],
    ['{title}_{date}].{ext}', ']', 'This “]” closes nothing.'],
    ['{title}[_{date}[_{market}]].{ext}', '[', 'An optional part cannot stand inside another.'],
    ['{title}[].{ext}', '[]', 'This optional part is empty.'],
    ['{title}_{title}.{ext}', '{title}', '{title} stands here a second time.'],
    ['{title}/{version}.{ext}', '/', 'A file name cannot hold “/”.'],
    ['{title}\u202e_{version}.{ext}', '\u202e', 'A file name cannot hold “[U+202E]”.'],
    [' {title}.{ext}', ' ', 'A name must not begin with a space or a dot.'],
    ['{title}_v{version}', '{version}', 'A template must end with the extension.'],
    ['{title}{ext}', '{ext}', 'Before {ext} a dot is needed.'],
    ['{title}[.{ext}]', '{ext}]', 'The extension cannot be optional.'],
    ['{ext}.{title}.{ext}', '{ext}', '{ext} belongs at the very end'],
    ['{text}{title}.{ext}', '{text}{title}', 'Nothing stands between {text} and {title}'],
    [
      '{title}[_{market}]{placement}.{ext}',
      '{title}[_{market}]{placement}',
      'Nothing stands between {title} and {placement}',
    ],
    ['{title}-{placement}.{ext}', '{title}-{placement}', 'Only “-”, which both may hold, stands between'],
    ['{width}{version}.{ext}', '{width}{version}', 'Nothing stands between {width} and {version}'],
  ])('says what is wrong with %j and where', (source, marked, message) => {
    const found = problems(source).find(([, text]) => text.startsWith(message))
    expect(found?.[0]).toBe(marked)
  })

  it('reports every problem at once, in the order of the template', () => {
    expect(problems('{titel}_{wombat}_]x').map(([marked]) => marked)).toEqual(['{titel}', '{wombat}', ']', 'x'])
  })

  it.each(['', '   '])('refuses the empty template %j', (source) => {
    expect(problems(source)[0]?.[1]).toContain('The template is empty.')
  })

  it('refuses more than 200 characters', () => {
    expect(problems(`${'a'.repeat(195)}.{ext}`)[0]?.[1]).toContain('at most 200 are allowed')
    expect(problems(`${'a'.repeat(194)}.{ext}`)).toEqual([])
  })

  it.each([
    '{date}{version}.{ext}',
    '{market}{language}.{ext}',
    '{agency}-{campaign}-{title}_v{version}.{ext}',
    '{title}-v{version}.{ext}',
    '{width}x{height}.{ext}',
    'banner.jpg',
  ])('accepts %j, where every end can be found', (source) => {
    expect(problems(source)).toEqual([])
  })
})
