import { writeFile } from 'node:fs/promises'
import { drawLettering, type Lettering } from '@/fixtures/lettering'
import { bad, good, sharing } from '../files'

const CLAIM = 'Summer sale'
const LEGAL = 'Terms and conditions apply'
const SIZE = { width: 1200, height: 628 }
const HEADLINE: Lettering = { text: CLAIM, x: 60, y: 80, size: 90, face: 'bold' }

const drawn =
  (lines: readonly Lettering[], ground?: string, shapes?: string) =>
  async (file: string): Promise<void> =>
    writeFile(file, await drawLettering(SIZE.width, SIZE.height, lines, ground, shapes))
/** A banner of 1200 × 628 with small print of that size. Capitals of Noto Sans are 0.71 of it high. */
const banner = (size: number, small: Partial<Lettering> = {}, headline: Partial<Lettering> = {}) =>
  drawn([
    { ...HEADLINE, ...headline },
    { text: LEGAL, x: 60, y: 520, size, ...small },
  ])
const onDark = (size: number) =>
  drawn(
    [
      { ...HEADLINE, colour: '#ffffff' },
      { text: LEGAL, x: 60, y: 520, size, colour: '#d8dee8' },
    ],
    '#12233f',
  )
/** Soft light and shade, as out of focus, under the lettering. */
const PHOTOGRAPH = `<defs><filter id="f"><feGaussianBlur stdDeviation="40"/></filter></defs><g filter="url(#f)">${Array.from(
  { length: 40 },
  (_, at) =>
    `<circle cx="${(at * 271) % 1200}" cy="${(at * 173) % 628}" r="${60 + ((at * 37) % 80)}" fill="hsl(${(at * 47) % 360},35%,${20 + ((at * 13) % 22)}%)"/>`,
).join('')}</g>`
const onPhotograph = (size: number) =>
  drawn(
    [
      { ...HEADLINE, colour: '#ffffff' },
      { text: LEGAL, x: 60, y: 520, size, colour: '#ffffff' },
    ],
    '#2a3038',
    PHOTOGRAPH,
  )
/** The phrase broken over two lines as near as lines are set. */
const twoLines = (size: number) =>
  drawn([
    HEADLINE,
    { text: 'Terms and', x: 60, y: 520, size },
    { text: 'conditions apply', x: 60, y: 520 + Math.round(size * 1.3), size },
  ])
/** Beside letters of 200 px, on their line. */
const besideLarge = (size: number) =>
  drawn([
    { text: 'Sale', x: 40, y: 200, size: 220, face: 'bold' },
    { text: LEGAL, x: 620, y: 330, size },
  ])
/** Directly below a headline. */
const below = (size: number) => banner(size, { x: 64, y: 185 })

const expects = { requiredCopy: [CLAIM, LEGAL] }
const small = { requiredCopy: [LEGAL] }

export const FILES = [
  ...sharing({ expects, thresholds: { min_height_px: 9, shown_width_px: 400 } }, [
    good('large.png', banner(60)),
    good('middling.png', banner(44)),
    bad('small.png', banner(24)),
    bad('smaller.png', banner(18)),
  ]),
  ...sharing({ expects, thresholds: { min_height_px: 14 } }, [
    good('small-at-its-own-width.png', banner(30)),
    bad('tiny-at-its-own-width.png', banner(11), { onceWrong: true }),
    bad('twelve.png', banner(12)),
    good('twenty.png', banner(20)),
    good('light-on-dark-22.png', onDark(22)),
    bad('light-on-dark-11.png', onDark(11)),
    good('on-a-photograph-24.png', onPhotograph(24)),
    bad('on-a-photograph-12.png', onPhotograph(12)),
    good('two-lines-22.png', twoLines(22)),
    bad('two-lines-11.png', twoLines(11)),
    good('below-the-headline-22.png', below(22)),
    bad('below-the-headline-11.png', below(11)),
    // A capital is 0.71 of the size.
    good('capitals-26.png', banner(26, { text: LEGAL.toUpperCase() })),
    bad('capitals-15.png', banner(15, { text: LEGAL.toUpperCase() })),
    bad('slanted-12.png', banner(12, { degrees: -5 })),
    good('slanted-24.png', banner(24, { degrees: -5 })),
  ]),
  ...sharing({ expects: small, thresholds: { min_height_px: 14 } }, [
    good('beside-large-letters-22.png', besideLarge(22)),
    bad('beside-large-letters-11.png', besideLarge(11)),
  ]),
  // Short small print beside a headline, which readers take for specks.
  ...sharing({ expects: { requiredCopy: ['Only 1990'] }, thresholds: { min_height_px: 14 } }, [
    good('digits-26.png', banner(26, { text: 'Only 1990' })),
    bad('digits-12.png', banner(12, { text: 'Only 1990' })),
  ]),
]
