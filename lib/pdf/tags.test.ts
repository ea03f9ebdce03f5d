import { expect, test } from 'vitest'
import type { Certificate } from '@/lib/domain/certificates/schema'
import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { renderBatchReport } from './render-batch-report'
import { renderCertificate } from './render-certificate'
import { renderEstimate } from './render-estimate'
import { type ReadTag, readPdf, sheetWith } from './testing'

const AT = '2026-11-20T09:30:00.000Z'
const ID = '01890000-0000-7000-8000-000000000000'
const named = (name: string) => ({ id: ID, name })

const all = (tags: ReadTag[]): ReadTag[] => tags.flatMap((tag) => [tag, ...all(tag.kids)])
const saidBy = (tags: ReadTag[], role: string) => all(tags).flatMap((tag) => (tag.role === role ? [tag.text] : []))
/** Rows of cells. */
const rowsOf = (table: ReadTag | undefined) =>
  all(table?.kids ?? []).flatMap((tag) =>
    tag.role === 'TR' ? [tag.kids.map(({ role, text }) => `${role} ${text}`)] : [],
  )

test('an estimate is heard as headings, lists and tables, in the order it is read', async () => {
  const approval = { step: 'Client', who: 'Ada', decision: 'approved', at: AT, comment: 'Go on.' } as const
  const { pages } = await readPdf(await renderEstimate(sheetWith(2, { approvals: [approval] })))
  const [root] = pages[0]?.tags ?? []
  expect(root?.role).toBe('Document')
  expect(root?.kids.map(({ role }) => role)).toEqual([
    ...['P', 'P', 'P', 'H1', 'L', 'Table', 'P', 'Table', 'H2', 'Table', 'H2', 'P', 'H2', 'P'],
  ])
  const tags = root?.kids ?? []
  expect(saidBy(tags, 'H1')).toEqual(['Spring campaign, spot and display adaptations'])
  expect(saidBy(tags, 'H2')).toEqual(['Approvals', 'Notes', 'Terms'])
  expect(saidBy(tags, 'Lbl').slice(0, 2)).toEqual(['Prepared for', 'Date'])
  expect(saidBy(tags, 'LBody').slice(0, 2)).toEqual(['Northlight Outdoor GmbH', '14 April 2026'])
  const [lines, totals, approvals] = tags.filter(({ role }) => role === 'Table')
  expect(rowsOf(lines)).toEqual([
    ['TH #', 'TH Description', 'TH Quantity', 'TH Unit price', 'TH Amount, EUR'],
    ['TD 1', 'TD Edit of the hero spot, 30 seconds, 16:9 with audio mix to EBU R 128', 'TD 1', 'TD 45.00', 'TD 45.00'],
    [
      'TD 2',
      'TD Cut-downs of 15 and 6 seconds for social channels, square and vertical, with burned-in subtitles in one language',
      'TD 2',
      'TD 57.75',
      'TD 115.50',
    ],
  ])
  expect(rowsOf(totals).at(-1)).toEqual(['TH Total', expect.stringMatching(/^TD EUR /)])
  expect(rowsOf(approvals)).toEqual([['TH Client', 'TD Ada', 'TD Approved, 20 November 2026 Go on.']])
  expect(pages[0]?.artifacts.join('')).toBe('Estimate EST-2026-0042, revision 2Page 1 of 1')
})

test('a table that goes on over pages is one table, and its head is heard once', async () => {
  const description = Array.from({ length: 90 }, (_, index) => `Part ${index}`).join('\n')
  const sheet = sheetWith(40)
  const [first] = sheet.lines
  const { pages, info } = await readPdf(
    await renderEstimate({ ...sheet, lines: [...sheet.lines, { ...(first as (typeof sheet.lines)[0]), description }] }),
  )
  expect(pages.length).toBeGreaterThan(3)
  expect(
    pages.map(({ tags }) => saidBy(tags, 'TH').filter((text) => text === 'Description').length).filter(Boolean),
  ).toEqual([1])
  expect(pages[1]?.artifacts.join(' ')).toContain('Description')
  const rows = new Set(
    pages.flatMap(({ tags }) =>
      all(tags)
        .filter(({ role }) => role === 'TD')
        .map(({ text }) => text),
    ),
  )
  expect([...rows].filter((text) => text.includes('Part 89'))).toHaveLength(1)
  expect(info).toMatchObject({ Language: 'en' })
})

test('letters from right to left are painted as they are seen, and said as they are read', async () => {
  const title = 'שלום, עולם (300x250)'
  const bytes = await renderEstimate(sheetWith(1, { title }))
  const written = Buffer.from(`\ufeff${title}`, 'utf16le').swap16().toString('latin1')
  expect(bytes.toString('latin1').replace(/\\([()\\])/g, '$1')).toContain(`/ActualText (${written})`)
})

test('a certificate and a report are tagged as well, and the code says where it leads', async () => {
  const statement: Certificate['statement'] = {
    kind: 'greenroom.batch-certificate',
    version: 1,
    id: ID,
    issued_at: AT,
    verification_url: `http://localhost:3000/verify/${ID}`,
    agency: named('Northlight'),
    project: named('Spring'),
    batch: named('Banners'),
    round: 2,
    approved_at: AT,
    files: [
      {
        name: 'hero.png',
        version: 1,
        sha256: 'a'.repeat(64),
        size: 10,
        media_type: 'image/png',
        approved_by: null,
        approved_at: AT,
        pre_qc: null,
      },
    ],
  }
  const signed = { algorithm: 'Ed25519 over RFC 8785', public_key: '', key_id: 'abc', signature: '' } as const
  const certificate = await readPdf(await renderCertificate({ statement, ...signed }))
  const tags = certificate.pages[0]?.tags ?? []
  expect(saidBy(tags, 'H1')).toEqual(['Banners'])
  expect(saidBy(tags, 'H2')).toEqual(['hero.png'])
  expect(all(tags).find(({ role }) => role === 'Figure')?.alt).toContain(`/verify/${ID}`)
  const report = {
    generated_at: AT,
    project: named('Spring'),
    agency: named('Northlight'),
    batch: { id: ID, name: 'Banners', status: 'in_review', round: 1, media_category: named('Display') },
    counts: { pass: 0, warning: 0, fail: 0, not_applicable: 0, not_checked: 1, waivers: 0 },
    files: [
      {
        id: ID,
        name: 'a.png',
        version: 1,
        size: 1,
        media_type: 'image/png',
        sha256: 'b'.repeat(64),
        decision: 'pending',
        result: null,
      },
    ],
  } as BatchReport
  const { pages } = await readPdf(await renderBatchReport(report))
  expect(saidBy(pages[0]?.tags ?? [], 'H1')).toEqual(['Banners'])
  expect(saidBy(pages[0]?.tags ?? [], 'H2')).toEqual(['a.png'])
})
