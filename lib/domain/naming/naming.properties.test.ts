import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeTemplate } from './describe'
import { matchName } from './match'
import { parseTemplate, type Template } from './template'
import { type NamingContext, TOKEN_NAMES, TOKENS, type TokenName } from './tokens'
import { validateName } from './validate-name'
import { NAMING_CODES } from './violation'

const context: NamingContext = {
  agencyCode: 'ACME',
  campaignCodes: ['SPRING24', 'Winter-25', 'x1'],
  extensions: ['jpg', 'png', 'mp4'],
}

const string = (alphabet: string, maxLength: number) =>
  fc
    .array(fc.constantFrom(...Array.from(alphabet)), { minLength: 1, maxLength })
    .map((characters) => characters.join(''))
const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

/** Values that each token accepts. */
const VALUES: Record<TokenName, fc.Arbitrary<string>> = {
  agency: fc.constantFrom('ACME', 'acme', 'Acme'),
  campaign: fc.constantFrom(...context.campaignCodes, 'spring24'),
  title: string('abzAZ09-éß日', 12),
  width: fc.integer({ min: 1, max: 99999 }).map(String),
  height: fc.integer({ min: 1, max: 99999 }).map(String),
  duration: fc.integer({ min: 1, max: 600 }).map((seconds) => `${seconds}s`),
  fps: fc.constantFrom('24', '25', '29.97', '2997', '60', '23.976'),
  ratio: fc.constantFrom('16x9', '1x1', '9x16', '1.91x1'),
  language: fc.constantFrom('en', 'DE', 'en-GB', 'es-419', 'vi'),
  market: fc.constantFrom('GB', 'de', 'US'),
  date: day.map((date) => date.toISOString().slice(0, 10).replaceAll('-', '')),
  version: string('0123456789', 6),
  placement: string('abvxAZ09-', 8),
  channel: string('abvxAZ09-', 8),
  text: string('abvxAZ09-_', 12),
  number: string('0123456789', 12),
  ext: fc.constantFrom('jpg', 'PNG', 'mp4'),
}

/** Templates as a coordinator may write them, among them some that are refused. */
const templateSource = fc
  .tuple(
    fc.shuffledSubarray(
      TOKEN_NAMES.filter((name) => name !== 'ext'),
      { minLength: 1, maxLength: 9 },
    ),
    fc.array(fc.constantFrom('_', '_', '_', '__', '_v', '-v', ' ', 'x', '.', 'fps_', '_final_', ''), {
      minLength: 9,
      maxLength: 9,
    }),
    fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
    fc.constantFrom('.{ext}', '_master.{ext}', '.jpg'),
  )
  .map(([names, separators, optional, end]) => {
    const parts = names.map((name, at) => {
      const part = at === 0 ? `{${name}}` : `${separators[at]}{${name}}`
      return optional[at] && at > 0 ? `[${part}]` : part
    })
    return parts.join('') + end
  })

const template = templateSource.filter((source) => parseTemplate(source).ok).map(read)

function read(source: string): Template {
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new Error(source)
  return parsed.template
}

/** A name that keeps the template, with optional parts filled at random. */
function nameFor({ parts, fixedExtension }: Template): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      ...parts.map((part) => {
        if (part.kind === 'literal') return fc.constant(part.text)
        return part.token === 'ext' && fixedExtension !== null ? fc.constant(fixedExtension) : VALUES[part.token]
      }),
    )
    .map(([filled, ...texts]) => texts.filter((_, at) => filled[parts[at]?.option ?? -1] ?? true).join(''))
}

const templateWithName = template.chain((chosen) => fc.record({ chosen: fc.constant(chosen), name: nameFor(chosen) }))

/** A good name after a few slips of the finger. */
const templateWithSlips = templateWithName.chain(({ chosen, name }) =>
  fc.record({
    chosen: fc.constant(chosen),
    name: fc
      .array(
        fc.tuple(fc.nat(), fc.constantFrom('', '_', '-', ' ', 'x', 'V', '0', 'final', '.jpg', 'е', '日', '\u202e')),
        { maxLength: 4 },
      )
      .map((slips) =>
        slips.reduce(
          (text, [at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + 1),
          name,
        ),
      ),
  }),
)

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
  string('a1_-. xV()', 300),
)

describe('naming templates', () => {
  it('accept every name that is built from them', () => {
    fc.assert(
      fc.property(templateWithName, ({ chosen, name }) => {
        const verdict = matchName(chosen, name, context)
        expect(verdict.violations).toEqual([])
        expect(verdict.accepted).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('accept the same names as a regular expression of the same meaning', () => {
    const PATTERNS: Partial<Record<TokenName, string>> = {
      agency: '(?:[Aa][Cc][Mm][Ee])',
      title: '[\\p{L}\\p{M}\\p{Nd}-]+',
      width: '[1-9]\\d{0,4}',
      height: '[1-9]\\d{0,4}',
      version: '\\d{1,6}',
      text: '[\\p{L}\\p{M}\\p{Nd}_-]+',
      number: '\\d{1,12}',
      ext: '(?:[Jj][Pp][Gg])',
    }
    const source = '{agency}_{title}[_{width}x{height}][-{number}][ {text}]_v{version}.{ext}'
    const chosen = read(source)
    const pattern = chosen.parts.map((part) => {
      const text = part.kind === 'literal' ? part.text.replaceAll('.', '\\.') : (PATTERNS[part.token] ?? '')
      const [before, after] = [
        chosen.parts[chosen.parts.indexOf(part) - 1],
        chosen.parts[chosen.parts.indexOf(part) + 1],
      ]
      const opens = part.option !== null && before?.option !== part.option ? '(?:' : ''
      const closes = part.option !== null && after?.option !== part.option ? ')?' : ''
      return opens + text + closes
    })
    const oracle = new RegExp(`^${pattern.join('')}$`, 'u')
    const rules = { ...context, extensions: ['jpg'] }
    const slipped = nameFor(chosen).chain((name) =>
      fc
        .array(fc.tuple(fc.nat(), fc.nat({ max: 1 }), string('aZ0_-. xvGB', 2)), { maxLength: 2 })
        .map((slips) =>
          slips.reduce(
            (text, [at, cut, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + cut),
            name,
          ),
        ),
    )
    const names = slipped.map((name) => name.replace(/png|mp4/gi, 'jpg'))
    fc.assert(
      fc.property(names, (name) => {
        expect([name, matchName(chosen, name, rules).accepted]).toEqual([name, oracle.test(name)])
      }),
      { numRuns: 1500 },
    )
  })

  it('describe themselves by an example that is accepted', () => {
    fc.assert(
      fc.property(template, ({ source }) => {
        const { example } = describeTemplate(source, context)
        expect([example, validateName({ template: source, name: example, context }).violations]).toEqual([example, []])
      }),
    )
  })

  it('are either read or refused with a place inside the source, whatever is written', () => {
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', '.', '_', 'ext', 'title', '{ext}', '{title}', 'x', '\u202e', '😀'),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          soup.map((parts) => parts.join('')),
          anyName,
        ),
        (source) => {
          const parsed = parseTemplate(source)
          if (parsed.ok) return
          expect(parsed.problems.length).toBeGreaterThan(0)
          for (const { index, length, message } of parsed.problems) {
            expect(index).toBeGreaterThanOrEqual(0)
            expect(index + length).toBeLessThanOrEqual(Math.max(source.length, index + 1))
            expect(message).toMatch(/\.$|\?$/)
          }
        },
      ),
    )
  })
})

describe('a verdict', () => {
  it('proposes only names that are accepted themselves', () => {
    fc.assert(
      fc.property(templateWithSlips, fc.boolean(), ({ chosen, name }, knowsFacts) => {
        const knownFacts = knowsFacts ? { width: 640, height: 360, durationSeconds: 20, fps: 25 } : {}
        const { suggestion } = validateName({ template: chosen.source, name, context, knownFacts })
        if (suggestion === null) return
        expect(validateName({ template: chosen.source, name: suggestion, context, knownFacts })).toMatchObject({
          accepted: true,
          violations: [],
          suggestion: null,
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('covers the whole name with its parts, and refuses exactly when one of them is wrong', () => {
    fc.assert(
      fc.property(templateWithSlips, ({ chosen, name }) => {
        const { accepted, parts, violations, values } = matchName(chosen, name, context)
        expect(parts.map(({ text }) => text).join('')).toBe(name.normalize('NFC'))
        expect(accepted).toBe(parts.every(({ ok }) => ok))
        expect(accepted).toBe(violations.length === 0)
        for (const [token, text] of Object.entries(values)) {
          const rules = chosen.fixedExtension === null ? context : { ...context, extensions: [chosen.fixedExtension] }
          expect([token, text, TOKENS[token as TokenName].isValid(text, rules)]).toEqual([token, text, true])
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('comes for any 300 characters under any template, without an exception', () => {
    fc.assert(
      fc.property(anyName, fc.option(template), (name, chosen) => {
        const verdict = validateName({ template: chosen?.source ?? null, name, context })
        expect(verdict.accepted).toBe(verdict.violations.length === 0)
        for (const { rule, code, message } of verdict.violations) {
          expect(rule).toBe('naming_convention')
          expect(NAMING_CODES).toContain(code)
          expect(message).not.toMatch(/[\p{Cs}\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        }
        if (verdict.suggestion !== null) {
          expect(validateName({ template: chosen?.source ?? null, name: verdict.suggestion, context }).accepted).toBe(
            true,
          )
        }
      }),
      { numRuns: 600 },
    )
  })
})

describe('the work of a verdict', () => {
  const middle = TOKEN_NAMES.filter((name) => !['agency', 'text', 'ext'].includes(name))
  const everything = read(`{agency}${middle.map((name) => `[_{${name}}]`).join('')}_{text}.{ext}`)
  const stepsFor = (name: string) => matchName(everything, name, context).steps

  it.each(['a', '1', '_', 'a1', 'a_', '1.', 'xX', '-_ ', 'ACME_', '30s_16x9_'])(
    'grows in proportion to the name made of %j',
    (unit) => {
      const short = stepsFor(unit.repeat(Math.ceil(120 / unit.length)).slice(0, 120))
      const long = stepsFor(unit.repeat(Math.ceil(240 / unit.length)).slice(0, 240))
      expect(long).toBeLessThanOrEqual(2.2 * short)
    },
  )

  it('is bounded by the product of template and name, whatever the name', () => {
    fc.assert(
      fc.property(anyName, template, (name, chosen) => {
        const { steps } = matchName(chosen, name, context)
        expect(steps).toBeLessThanOrEqual(100 * chosen.source.length * (name.length + 1))
      }),
    )
  })
})
