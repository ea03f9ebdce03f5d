import { describe, expect, test } from 'vitest'
import { CATALOGUE } from './catalogue'
import { runChecks } from './engine'
import { archive, html } from './testing'

/** Of a page that many characters are read. */
const CHARACTERS = 200_000
/** Seconds of the processor for all checks of a page; an honest one of that length takes a fiftieth of it. */
const MOST_SECONDS = 5

/** What a pattern that looks ahead or back without end would go through again from each of its places. */
const REPEATED = [
  ' ',
  '\n',
  '<',
  '"',
  '/',
  '<!--',
  '<a ',
  '<img ',
  '<img srcset="',
  '<link ',
  '<link href=',
  '<meta ',
  '<meta name=',
  '<script ',
  '<script>',
  '<style>',
  '<style>@import url(',
  '@import ',
  '@import url(',
  'url( ',
  'import ',
  'import a ',
  'import{',
  'var ',
  'window ',
  'window[',
  'clicktag ',
  'clicktag=',
  'clicktag] ',
  ';clicktag ',
  'href = ',
  'location . ',
  'open( ',
  '.open ( ',
  '.src = ',
  ' media ',
  '<x media ',
  'width=1 ',
  ' onload ',
  'document . ',
  'prefers-reduced-motion ',
  '@media (',
  'safeframe ',
  'top.',
  'requestAnimationFrame( ',
]

/** And what begins once and has no end. */
const ENDLESS = [
  ['<x', ' media'],
  ['<link', ' rel=canonical'],
  ['<link', ' href='],
  ['<img', ' src='],
  ['<img srcset="', ' a'],
  ['<img srcset="', ' http:'],
  ['<meta', ' name=ad.size'],
  ['<meta name=ad.size content=width=1', ' '],
  ['<script', ' src='],
  ['<svg', ' xmlns'],
  ['<a', ' href='],
  ['<!--', '-'],
  ['import ', 'a '],
  ['import', ' '],
  ['@import url(', 'a'],
  ['@import', ' '],
  ['clicktag', ' '],
  ['clicktag', ']'],
  ['href=', ' '],
  ['<meta name=', ' '],
  ['name=', ' '],
  ['window[', ' '],
  ['window', ' '],
  ['location', ' '],
  ['.open(', ' '],
  ['url(', ' '],
  ['width=', '1'],
] as const

describe.each([...REPEATED.map((piece) => ['', piece] as const), ...ENDLESS])(
  'a page of “%s” and then nothing but “%s”',
  (head, piece) => {
    test('is judged in time', () => {
      const text = head + piece.repeat(CHARACTERS / piece.length)
      const checks = CATALOGUE.filter(({ kinds }) => kinds.includes('archive'))
      const settings = {
        confidence_floor: 0,
        checks: Object.fromEntries(checks.map(({ id }) => [id, { enabled: true, severity: 'fail' as const }])),
      }
      const { measures } = archive()
      const began = process.cpuUsage()
      for (const given of [html(text), { ...html(text), measures }]) runChecks(given, settings, checks)
      const { user, system } = process.cpuUsage(began)
      expect((user + system) / 1e6).toBeLessThan(MOST_SECONDS)
    }, 600_000)
  },
)
