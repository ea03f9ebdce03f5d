import { expect, test } from 'vitest'
import { packed, unprintable } from './coverage'
import { COVERED } from './coverage-table'
import { coveredCodePoints } from './fonts'
import { renderEstimate } from './render-estimate'
import { readPdf, sheetWith } from './testing'

test('the table says what the typefaces have (after a change: npx tsx scripts/font-coverage.ts)', async () => {
  expect(packed(await coveredCodePoints())).toBe(COVERED)
})

test('what no typeface has is named before it is printed, once each', () => {
  expect(unprintable('Příliš Ω Съешь שלום سلام 漢字 かな 한글 🎬 → € ₿\r\n\t\u202e')).toEqual([])
  expect(unprintable('สวัสดี A 𓀀 ส')).toEqual(['ส', 'ว', 'ั', 'ด', 'ี', '𓀀'])
})

test('in print a replacement stands for it, and the title of the file keeps it', async () => {
  const { pages, info } = await readPdf(await renderEstimate(sheetWith(1, { title: 'Spot ส and 𓀀', lines: [] })))
  expect(pages[0]?.text).toContain('Spot \ufffd and \ufffd')
  expect(info.Title).toBe('EST-2026-0042 Spot ส and 𓀀')
})
