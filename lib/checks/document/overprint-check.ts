import { z } from 'zod'
import { fail, mediaCheck, pass, warn } from '../check'
import { countConfidence } from '../confidence'
import { allOf, count, decimal } from '../wording'
import { BEFORE_PRINT, below, placesOf, SEEN, seenConfidence, unlessUnread } from './painted'

const WORDS = { text: 'text', line: 'line', area: 'area', image: 'image' } as const

export const overprintCheck = mediaCheck({
  id: 'overprint_check',
  label: 'Overprint',
  kinds: ['document'],
  describe:
    'White that is set to overprint vanishes on the press: it adds no ink and leaves what lies below (ISO 32000-1, 8.6.7: no ink of Separation and DeviceN, and 0 of DeviceCMYK in overprint mode 1). White of grey, of an ICC profile or in overprint mode 0 is found as well: some presses treat it alike. Where it is set, small black text has to overprint the ink it stands on, as a black plate that is a little off leaves white edges beside what is knocked out. Fills, strokes and text of pages and of the forms they place; not shadings, tiles of patterns and layers that are switched off.',
  severity: 'advisory',
  confidence:
    'A fail: each is seen with 0.95, as something painted later may hide it, so that one is 0.95, several are 0.99; black text with 0.9 where its ground is known by a bounding box, and not by a rectangle that reaches all around it. 0.7 where it hangs on the press whether white vanishes. A pass: 0.99, as all that is painted was followed; 0.9 in a document with fonts of Type 3, whose glyphs are not looked at.',
  thresholds: z.strictObject({
    white: z.enum(['knocks_out', 'warned_of']).default('knocks_out').meta({
      title: 'White that overprints is a fault, or is always only warned of',
      source:
        'Reasoned: it vanishes on the press, which is never meant (GWG2015: overprint of white text and white paths)',
    }),
    black_text_below_pt: z.number().positive().nullable().default(null).meta({
      title: 'Black text smaller than this has to overprint',
      unit: 'pt',
      source: 'Reasoned: not asked unless set; print houses commonly ask it of text below 12 pt',
    }),
  }),
  run({ name, media }, { white: rule, black_text_below_pt }) {
    const { print } = media
    if (!print) return BEFORE_PRINT
    const { whiteOverprints, blackKnockouts } = print
    const standard = 'ISO 32000-1:2008, 8.6.7'
    const knockouts = below(blackKnockouts, black_text_below_pt, 0.01)
    const [white] = whiteOverprints.marks
    const [black] = knockouts
    if (!white && !black) {
      const asked =
        black_text_below_pt === null ? '' : ` No black text below ${decimal(black_text_below_pt)} pt knocks out ink.`
      return unlessUnread(
        print,
        pass(`Nothing white is set to overprint.${asked}`, {
          measured: 0,
          expected: 0,
          standard,
          confidence: media.fonts.some(({ type }) => type === 'Type3') ? 0.9 : 0.99,
        }),
      )
    }
    const sure = whiteOverprints.marks.filter(({ value }) => value === 1)
    const faults: string[] = []
    const fixes: string[] = []
    if (white) {
      const kinds = allOf([...new Set(whiteOverprints.marks.map(({ what }) => WORDS[what]))])
      const effect = sure.length > 0 ? 'vanishes on the press' : 'vanishes on presses that read it so'
      faults.push(
        `White is set to overprint ${count(whiteOverprints.count, 'time')} (${kinds}, first on page ${white.page}) and ${effect}; white has to knock out.`,
      )
      fixes.push(
        'set what is white to knock out (InDesign: Window > Output > Attributes, Overprint Fill and Overprint Stroke off; Acrobat: Preflight > Fixups > Set white objects to knock out)',
      )
    }
    if (black && black_text_below_pt !== null) {
      faults.push(
        `Black text of ${decimal(black.value, 1)} pt knocks out the ink it stands on (${count(knockouts.length, 'place')}, first on page ${black.page}); below ${decimal(black_text_below_pt)} pt it has to overprint.`,
      )
      fixes.push('let black text overprint (InDesign: Preferences > Appearance of Black > Overprint [Black] Swatch)')
    }
    const finding = black || rule === 'knocks_out' ? fail : warn
    return finding(faults.join(' '), {
      measured: whiteOverprints.count + knockouts.length,
      expected: 0,
      standard,
      confidence: Math.max(white ? 0.7 : 0, countConfidence(sure.length, SEEN), seenConfidence(knockouts, 0.9)),
      occurrences: placesOf([...whiteOverprints.marks, ...knockouts]),
      fix: `In “${name}” ${fixes.join('; ')}, and export it again.`,
    })
  },
})
