import { describe, expect, test } from 'vitest'
import type { EstimateSheet, SheetLine } from '@/lib/domain/cost-estimates/estimate-sheet'
import { MARGIN, PAPER } from './paper'
import { renderEstimate } from './render-estimate'
import { type ReadPage, readPdf, sheetWith } from './testing'

const line = (description: string, changes: Partial<SheetLine> = {}): SheetLine => ({
  description,
  quantity: '1',
  unitPrice: '10.00',
  amount: '10.00',
  unit: null,
  option: 'none',
  ...changes,
})

const print = async (sheet: EstimateSheet) => readPdf(await renderEstimate(sheet))
const textOf = (pages: ReadPage[]) => pages.map(({ text }) => text).join('\n')
const squeezed = (text: string) => text.normalize('NFKC').replace(/\s/gu, '')

/** Everything on the paper and inside its margins; a hair is left for rounding. */
function expectNothingOutside(pages: ReadPage[]) {
  const outside = pages.flatMap(({ items }) =>
    items.filter(
      ({ x, y, width }) =>
        x < MARGIN.left - 1 || x + width > PAPER.width - MARGIN.right + 2 || y < 20 || y > PAPER.height - 20,
    ),
  )
  expect(outside).toEqual([])
}

describe('an estimate on paper', () => {
  test('says who, what, when and how much, with exact totals', async () => {
    const { pages, info } = await print(
      sheetWith(2, {
        subtotal: '12345678901234.50',
        discount: { label: 'Discount 10%', amount: '1234567890123.45' },
        tax: { label: 'Tax 19%', amount: '2111111092111.10' },
        total: '13222222103222.15',
      }),
    )
    const text = textOf(pages)
    for (const said of [
      'EST-2026-0042',
      'Spring campaign, spot and display adaptations',
      'Northlight Outdoor GmbH',
      'Jana Kovářová',
      '14 April 2026',
      '12 May 2026',
      'Harbour & Pine',
      'Tax ID GB 123 4567 89',
      '12,345,678,901,234.50',
      '-1,234,567,890,123.45',
      '2,111,111,092,111.10',
      'EUR 13,222,222,103,222.15',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(said)
    }
    expect(info).toMatchObject({
      Title: 'EST-2026-0042 Spring campaign, spot and display adaptations',
      Author: 'Harbour & Pine',
      Language: 'en',
      PDFFormatVersion: '1.7',
      CreationDate: 'D:20260414093000Z',
    })
  })

  test('shows the logo in its proportions, and the name beside it', async () => {
    const logo = {
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      format: 'png' as const,
      width: 300,
      height: 100,
    }
    const { pages } = await print(sheetWith(1, { letterhead: { ...sheetWith(1).letterhead, logo } }))
    expect(pages[0]?.images).toEqual([{ width: 144, height: 48 }])
    expect(pages[0]?.text).toContain('Harbour & Pine')
  })

  test('gives the same bytes for the same revision, and others for another', async () => {
    const [first, second, other] = await Promise.all([
      renderEstimate(sheetWith(40)),
      renderEstimate(sheetWith(40)),
      renderEstimate(sheetWith(40, { revision: 3 })),
    ])
    expect(first.equals(second)).toBe(true)
    expect(first.equals(other)).toBe(false)
  })

  test('carries every typeface it uses within itself', async () => {
    const text = 'Ž П Ω م ש 漢 か 한 🎬🎬 \ufffe\n\nends'
    const bytes = await renderEstimate(sheetWith(3, { title: text, notes: text, lines: [line(text), line('x\ny')] }))
    const named = [...bytes.toString('latin1').matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(12)
    expect(named.filter((name) => !/^[A-Z]{6}\+/.test(name ?? ''))).toEqual([])
  })

  test('repeats the head of the table and counts the pages on each of them', async () => {
    const { pages, outline } = await print(sheetWith(120))
    expect(pages.length).toBeGreaterThan(3)
    const withLines = pages.slice(0, -1)
    expect(withLines.map(({ text }) => text.includes('Description Quantity Unit price Amount, EUR'))).toEqual(
      withLines.map(() => true),
    )
    expect(pages.map(({ text }, index) => text.includes(`Page ${index + 1} of ${pages.length}`))).toEqual(
      pages.map(() => true),
    )
    expect(outline[0]).toBe('Estimate EST-2026-0042')
    expect(outline).toContain('Total')
    expectNothingOutside(pages)
  })

  test('keeps the totals together, on a page that also has a line', async () => {
    for (const count of [14, 15, 16, 17, 18, 19, 20]) {
      const { pages } = await print(sheetWith(count))
      const page = pages.find(({ text }) => text.includes('Subtotal'))
      expect(page?.text).toContain('Total EUR')
      expect(page?.items.some(({ text }) => text === String(count))).toBe(true)
    }
  })

  test('never ends with a page that holds the terms alone', async () => {
    for (let count = 8; count < 40; count++) {
      const notes = Array.from({ length: count }, (_, index) => `Note ${index}`).join('\n')
      const { pages } = await print(sheetWith(6, { notes }))
      const last = pages.at(-1)?.text ?? ''
      expect(last).toContain('Terms')
      expect(last, `${count} notes`).toContain(`Note ${count - 3}`)
    }
  })

  test.each([
    ['Latin', 'Příliš žluťoučký kůň, Größe, Œuvre, Đặng Thị Hoa'],
    ['Cyrillic', 'Съешь же ещё этих мягких булок, їжак'],
    ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία'],
    ['Chinese', '东京樱花季宣传影片剪辑，繁體中文廣告'],
    ['Japanese', '春のキャンペーン映像の編集、直接納品'],
    ['Korean', '봄 캠페인 영상 편집 자막 작업'],
    ['Symbols', '€ ₿ ™ ½ → ★ ① ✓'],
  ])('can be read and copied in %s', async (_script, text) => {
    const { pages } = await print(sheetWith(1, { title: text, lines: [line(text)], notes: text }))
    expect(squeezed(textOf(pages)).split(squeezed(text)).length - 1).toBe(3)
  })

  test.each([
    ['Arabic', 'السلام عليكم تصميم الإعلانات والألوان'],
    ['Hebrew', 'פרסומת לטלוויזיה באורך קצר'],
  ])('writes %s from right to left and gives every word back whole', async (_script, text) => {
    const { pages } = await print(sheetWith(1, { title: text, lines: [line(text)] }))
    const words = text.split(' ')
    const items = pages[0]?.items ?? []
    const found = words.map((word) => items.filter((item) => item.text.split(' ').includes(word)))
    expect(found.map((places) => places.length)).toEqual(words.map(() => 2))
    const inTitle = found.map((places) => places[0]?.x ?? 0)
    expect(inTitle).toEqual([...inTitle].sort((a, b) => b - a))
  })

  test('aligns numbers on their decimal point', async () => {
    const amounts = ['7.00', '-1234.50', '1000000.25']
    const { pages } = await print(
      sheetWith(1, {
        lines: ['1', '2.5', '10.0625'].map((quantity, index) => line('x', { quantity, amount: amounts[index] })),
      }),
    )
    const digit = 0.572 * 9
    const pointOf = (text: string) => {
      const item = pages[0]?.items.find((found) => found.text === text)
      const digits = text.split('.')[1]?.length ?? 0
      return (item?.x ?? Number.NaN) + (item?.width ?? 0) - digits * digit - (digits > 0 ? 0.268 * 9 : 0)
    }
    expect(pointOf('2.5')).toBeCloseTo(pointOf('10.0625'), 1)
    expect(pointOf('-1,234.50')).toBeCloseTo(pointOf('1,000,000.25'), 1)
  })

  test('writes yen without decimals and dinars with three', async () => {
    const yen = await print(
      sheetWith(1, {
        currency: 'JPY',
        minorUnits: 0,
        lines: [line('x', { unitPrice: '1500', amount: '1500' })],
        total: '1650',
      }),
    )
    expect(textOf(yen.pages)).toContain('JPY 1,650')
    const dinar = await print(sheetWith(1, { currency: 'KWD', minorUnits: 3, total: '12.5' }))
    expect(textOf(dinar.pages)).toContain('KWD 12.500')
  })

  test('says which options the client left out', async () => {
    const { pages } = await print(
      sheetWith(1, {
        lines: [line('Spot'), line('Teaser', { option: 'declined' }), line('Stills', { option: 'included' })],
      }),
    )
    expect(textOf(pages)).toMatch(/Teaser.*Option, not chosen.*Stills.*Option, included/s)
  })

  test('shows who approved, and what they said', async () => {
    const { pages, outline } = await print(
      sheetWith(1, {
        approvals: [
          {
            step: 'Finance',
            who: 'Maria Silva',
            decision: 'approved',
            at: '2026-04-15T10:00:00.000Z',
            comment: 'Fine.',
          },
          { step: 'Client', who: '', decision: 'pending', at: null, comment: '' },
        ],
      }),
    )
    expect(textOf(pages)).toMatch(/Finance Maria Silva Approved, 15 April 2026 Fine\. Client — Pending/)
    expect(outline).toContain('Approvals')
  })

  test.each([
    ['a word without an end', 'x'.repeat(2000)],
    ['a long text', 'word '.repeat(400)],
    ['Chinese without a space', '漢'.repeat(2000)],
    ['Arabic without a space', 'م'.repeat(2000)],
    ['nothing but line breaks', `a${'\n'.repeat(1998)}b`],
    ['one character a line', 'a\n'.repeat(1000)],
    ['emoji', '👩‍👩‍👧‍👦🎬'.repeat(150)],
    ['heaped marks', 'Z\u0335\u0321\u0322\u0327\u031b\u0317'.repeat(300)],
    ['what cannot be printed', '\u0000\u0007\ud800\u202e\ue000\ufffe\u{e0041}x'],
    ['another script', 'สวัสดี გამარჯობა 𓀀'],
  ])('holds %s without leaving the page', async (_what, text) => {
    const { pages } = await print(
      sheetWith(1, {
        title: text.slice(0, 200),
        client: text,
        project: text,
        preparedBy: text,
        lines: [line(text), line('after')],
        notes: text,
        approvals: [{ step: text, who: text, decision: 'approved', at: null, comment: text }],
        letterhead: { name: text.slice(0, 300), address: text, taxId: text.slice(0, 60), terms: text, logo: null },
      }),
    )
    expectNothingOutside(pages)
    expect(textOf(pages)).toContain('after')
  })

  test('goes on with a long description line by line, to the foot of each page and clear of the head', async () => {
    const words = Array.from({ length: 150 }, (_, index) => `L${index}`)
    const { pages } = await print(sheetWith(1, { lines: [line(words.join('\n')), line('after')] }))
    const rows = pages.map(({ items }) => items.filter(({ text }) => /^L\d+$/.test(text)))
    expect(rows.flat().map(({ text }) => text)).toEqual(words)
    const full = rows.filter((found, page) => found.length > 0 && (rows[page + 1]?.length ?? 0) > 0)
    expect(full.length).toBeGreaterThan(1)
    for (const found of full) {
      expect(Math.min(...found.map(({ y }) => y))).toBeLessThan(MARGIN.bottom + 3 * 12.5 + 8)
    }
    const head = pages[1]?.items.find(({ text }) => text === 'Description')
    expect((head?.y ?? 0) - (rows[1]?.[0]?.y ?? 0)).toBeGreaterThan(24)
  })

  test('keeps the words of Korean whole, and a digit that came in a keycap', async () => {
    const text = '서버용 클릭 태그와 대체 이미지 포함 '.repeat(20).trim()
    const { pages } = await print(sheetWith(1, { lines: [line(text), line('1\ufe0f\u20e3 first')] }))
    const words = pages.flatMap(({ items }) => items.flatMap((item) => item.text.split(' ')))
    expect(words.filter((word) => /\p{Script=Hangul}/u.test(word) && !text.split(' ').includes(word))).toEqual([])
    expect(textOf(pages)).toContain('1 first')
  })

  test('finds room for numbers of any length', async () => {
    const huge = '-999999999999999999999.9999'
    const { pages } = await print(
      sheetWith(1, {
        lines: [line('x', { quantity: '999999999999.9999', unitPrice: huge, amount: huge })],
        total: huge,
      }),
    )
    expectNothingOutside(pages)
    expect(textOf(pages)).toContain('EUR -999,999,999,999,999,999,999.9999')
  })
})
