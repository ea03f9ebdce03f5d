import { describe } from 'vitest'
import type { DocumentFacts, PageFacts } from '@/lib/media/facts'
import { colourSpaceCheck } from '../image/colour-space-check'
import { transparencyCheck } from '../image/transparency-check'
import { checkTable, documentFacts, pageFacts, subject } from '../testing'
import { bleedCheck } from './bleed-check'
import { fontEmbeddingCheck } from './font-embedding-check'
import { imageResolutionCheck } from './image-resolution-check'
import { javascriptCheck } from './javascript-check'
import { pageCountCheck } from './page-count-check'
import { pageSizeCheck } from './page-size-check'
import { pdfVersionCheck } from './pdf-version-check'
import { pdfxCheck } from './pdfx-check'
import { spotColourCheck } from './spot-colour-check'

const document = (changes: Partial<DocumentFacts> = {}) => subject(documentFacts(changes))
const pages = (...changes: Partial<PageFacts>[]) =>
  document({ pages: changes.length, pageSizes: changes.map((one) => pageFacts(one)) })
const box = (widthMm: number, heightMm: number) => ({ xMm: 3, yMm: 3, widthMm, heightMm })

describe('the number of pages', () => {
  const two = { min_pages: 2, max_pages: 4 }
  checkTable(pageCountCheck, [
    { it: 'is not evaluated where none is set', given: document(), says: 'skipped' },
    { it: 'passes at the least', given: document({ pages: 2 }), thresholds: two, says: 'pass' },
    {
      it: 'fails below',
      given: document({ pages: 1 }),
      thresholds: two,
      says: 'fail',
      details: /has 1 page; 2 pages to 4 pages/,
      fix: /1 page missing/,
    },
    { it: 'passes at the most', given: document({ pages: 4 }), thresholds: two, says: 'pass' },
    { it: 'fails above', given: document({ pages: 5 }), thresholds: two, says: 'fail', fix: /1 page too many/ },
    {
      it: 'may be exact',
      given: document({ pages: 2 }),
      thresholds: { min_pages: 1, max_pages: 1 },
      says: 'fail',
      details: /1 page is wanted/,
    },
  ])
})

describe('the page size', () => {
  const a4 = { width_mm: 210, height_mm: 297 }
  checkTable(pageSizeCheck, [
    { it: 'is not evaluated where none is set', given: document(), says: 'skipped', details: /210 × 297 mm/ },
    { it: 'passes half a millimetre off', given: pages({ widthMm: 210.5 }), thresholds: a4, says: 'pass' },
    {
      it: 'fails beyond',
      given: pages({ widthMm: 210.6 }),
      thresholds: a4,
      says: 'fail',
      details: /210.6 × 297 mm \(it states no trim box.*210 × 297 mm is wanted, within 0.5 mm/,
    },
    {
      it: 'is that of the trim box, not of the sheet',
      given: pages({ widthMm: 216, heightMm: 303, trimBox: box(210, 297) }),
      thresholds: a4,
      says: 'pass',
      details: /by its trim box/,
    },
    {
      it: 'fails by the trim box',
      given: pages({ trimBox: box(200, 297) }),
      thresholds: a4,
      says: 'fail',
      details: /200 × 297 mm by its trim box/,
    },
    {
      it: 'turns the trim box with the page',
      given: pages({ widthMm: 297, heightMm: 210, rotation: 90, trimBox: box(297, 210) }),
      thresholds: a4,
      says: 'pass',
    },
    {
      it: 'names the page that is off',
      given: pages({}, {}, { widthMm: 148 }),
      thresholds: a4,
      says: 'fail',
      details: /^Page 3 is 148/,
    },
    {
      it: 'may ask for the trim box',
      given: pages({ trimBox: box(210, 297) }),
      thresholds: { require_trim_box: true },
      says: 'pass',
    },
    {
      it: 'does not take the sheet for a trim box',
      given: pages({ trimBox: box(210, 297) }, {}),
      thresholds: { require_trim_box: true },
      says: 'fail',
      details: /Page 2 states no trim box/,
    },
    {
      it: 'may ask for the bleed box',
      given: pages({ bleedBox: box(216, 303) }),
      thresholds: { require_bleed_box: true },
      says: 'pass',
    },
    { it: 'fails without the bleed box', given: pages({}), thresholds: { require_bleed_box: true }, says: 'fail' },
    { it: 'may ask for one size', given: pages({}, {}), thresholds: { same_size: true }, says: 'pass' },
    {
      it: 'fails with two sizes',
      given: pages({}, { widthMm: 297, heightMm: 210 }),
      thresholds: { same_size: true },
      says: 'fail',
      details: /Page 2 is 297 × 210 mm, page 1 is 210 × 297 mm/,
    },
  ])
})

describe('the version of a PDF', () => {
  const x1a = { max_version: 1.4 }
  checkTable(pdfVersionCheck, [
    { it: 'is not evaluated where none is set', given: document(), says: 'skipped' },
    { it: 'passes at the highest', given: document({ pdfVersion: '1.4' }), thresholds: x1a, says: 'pass' },
    {
      it: 'fails above',
      given: document({ pdfVersion: '1.5' }),
      thresholds: x1a,
      says: 'fail',
      details: /PDF 1.5; at most PDF 1.4/,
      fix: /compatibility PDF 1.4/,
    },
    {
      it: 'passes at the lowest',
      given: document({ pdfVersion: '1.6' }),
      thresholds: { min_version: 1.6 },
      says: 'pass',
    },
    { it: 'fails below', given: document({ pdfVersion: '1.3' }), thresholds: { min_version: 1.6 }, says: 'fail' },
    {
      it: 'writes 2.0 in full',
      given: document({ pdfVersion: '1.7' }),
      thresholds: { min_version: 2 },
      says: 'fail',
      details: /at least PDF 2.0/,
    },
    { it: 'is an error when it is not a number', given: document({ pdfVersion: 'x' }), thresholds: x1a, says: 'error' },
  ])
})

describe('scripts in a document', () => {
  checkTable(javascriptCheck, [
    { it: 'pass when there are none', given: document(), says: 'pass' },
    { it: 'fail', given: document({ hasJavaScript: true }), says: 'fail', details: /holds JavaScript/ },
    {
      it: 'fail when a program would be launched',
      given: document({ hasLaunchAction: true }),
      says: 'fail',
      details: /launches a program/,
    },
  ])
})

describe('the colours of a document', () => {
  const print = { allowed: ['cmyk', 'grey'] }
  checkTable(colourSpaceCheck, [
    {
      it: 'pass in print',
      given: document({ colourSpaces: ['DeviceCMYK', 'DeviceGray', 'Separation CMYK'] }),
      thresholds: print,
      says: 'pass',
    },
    {
      it: 'fail when a page uses RGB',
      given: document({ colourSpaces: ['DeviceCMYK', 'ICCBased RGB'] }),
      thresholds: print,
      says: 'fail',
      details: /use RGB; CMYK or grey is wanted/,
    },
    {
      it: 'pass as RGB where a screen is meant',
      given: document({ colourSpaces: ['DeviceRGB'] }),
      thresholds: { allowed: ['srgb'] },
      says: 'pass',
    },
    {
      it: 'need an output intent where a profile is required',
      given: document(),
      thresholds: { require_profile: true },
      says: 'fail',
      details: /no output intent/,
    },
    {
      it: 'have one',
      given: document({ outputIntent: 'FOGRA39' }),
      thresholds: { require_profile: true },
      says: 'pass',
    },
    { it: 'are not guessed', given: document({ colourSpaces: [] }), thresholds: print, says: 'skipped' },
  ])
})

describe('transparency in a document', () => {
  const x1a = { rule: 'forbidden' }
  checkTable(transparencyCheck, [
    { it: 'passes when there is none', given: document(), thresholds: x1a, says: 'pass' },
    {
      it: 'fails when a page uses it',
      given: document({ hasTransparency: true }),
      thresholds: x1a,
      says: 'fail',
      fix: /flattened/,
    },
  ])
})

describe('the bleed', () => {
  const around = (by: number) => ({ xMm: 5 - by, yMm: 5 - by, widthMm: 200 + 2 * by, heightMm: 287 + 2 * by })
  const bleed = (by: number) => pages({ trimBox: around(0), bleedBox: around(by) })
  checkTable(bleedCheck, [
    { it: 'is not evaluated where none is set', given: bleed(0), says: 'skipped' },
    { it: 'passes at the least', given: bleed(3), thresholds: { min_mm: 3 }, says: 'pass' },
    { it: 'fails below', given: bleed(2.5), thresholds: { min_mm: 3 }, says: 'fail', details: /2.5 mm at the/ },
    {
      it: 'is missing where no bleed box is stated, whatever a viewer shows',
      given: pages({ trimBox: around(0) }),
      thresholds: { min_mm: 3 },
      says: 'fail',
      details: /states no bleed box/,
    },
  ])
})

describe('the fonts', () => {
  const font = (embedded: boolean, type = 'TrueType') =>
    document({ fonts: [{ name: 'Sans', type, embedded, subset: true }] })
  checkTable(fontEmbeddingCheck, [
    { it: 'pass embedded', given: font(true), says: 'pass', details: /^The only font is embedded\.$/ },
    { it: 'fail otherwise', given: font(false), says: 'fail', details: /“Sans” is not embedded/ },
    { it: 'of Type 3 carry themselves', given: font(false, 'Type3'), says: 'pass' },
  ])
})

describe('pictures as placed', () => {
  const placed = (dpi: number, width = 100) =>
    subject(documentFacts(), {
      measures: {
        placed: {
          pages: 1,
          images: [{ page: 1, width: 900, height: 600, dpi, region: { x: 0, y: 0, width, height: width } }],
        },
      },
    })
  checkTable(imageResolutionCheck, [
    { it: 'are not evaluated where nothing is set', given: placed(72), says: 'skipped', details: /72 dpi on page 1/ },
    { it: 'pass at the least', given: placed(225), thresholds: { min_dpi: 225 }, says: 'pass' },
    { it: 'fail below', given: placed(144), thresholds: { min_dpi: 225 }, says: 'fail', fix: /886 × 886 px/ },
    { it: 'are not evaluated when tiny', given: placed(20, 2), thresholds: { min_dpi: 225 }, says: 'skipped' },
  ])
})

describe('PDF/X', () => {
  const x4 = { versions: ['PDF/X-4'] }
  checkTable(pdfxCheck, [
    { it: 'is not asked unless set', given: document(), says: 'skipped' },
    {
      it: 'passes as stated',
      given: document({ pdfxVersion: 'PDF/X-4', outputIntent: 'FOGRA51' }),
      thresholds: x4,
      says: 'pass',
    },
    {
      it: 'fails where nothing is stated',
      given: document(),
      thresholds: x4,
      says: 'fail',
      details: /no PDF\/X version/,
    },
    {
      it: 'fails where the statement is not kept',
      given: document({ pdfxVersion: 'PDF/X-4' }),
      thresholds: x4,
      says: 'fail',
      details: /names no output intent/,
    },
  ])
})

describe('spot colours', () => {
  checkTable(spotColourCheck, [
    { it: 'pass where there are none', given: document(), says: 'pass' },
    {
      it: 'fail unordered',
      given: document({ spotColours: ['PANTONE 185 C'] }),
      says: 'fail',
      details: /PANTONE 185 C/,
    },
    { it: 'pass ordered', given: document({ spotColours: ['Gold'] }), thresholds: { allowed: ['gold'] }, says: 'pass' },
  ])
})
