import { describe, expect, test } from 'vitest'
import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { MARGIN, PAPER } from './paper'
import { renderBatchReport } from './render-batch-report'
import { readPdf } from './testing'

const ID = '01890000-0000-7000-8000-000000000000'
const AT = '2026-11-20T09:30:00.000Z'

type ReportFile = BatchReport['files'][number]
type Line = NonNullable<ReportFile['result']>['checks'][number]

const check = (changes: Partial<Line> = {}): Line => ({
  check_id: 'dimension_check',
  label: 'Dimensions',
  status: 'fail',
  confidence: 1,
  details: 'The image is 298 × 600 px; 300 × 600 px is wanted.',
  severity: 'blocking',
  fix: 'Export it at 300 × 600 px.',
  ...changes,
})

function fileWith(name: string, summary: 'pass' | 'warning' | 'fail', checks: Line[]): ReportFile {
  return {
    id: ID,
    name,
    version: 2,
    size: 48_200,
    media_type: 'image/png',
    sha256: 'a'.repeat(64),
    decision: 'pending',
    result: {
      id: ID,
      file_id: ID,
      file_name: name,
      status: 'completed',
      summary,
      checks,
      batch_id: ID,
      file_version: 2,
      file_sha256: 'a'.repeat(64),
      profile: { id: ID, version: 3 },
      attempt: 1,
      delta: null,
      progress: 100,
      failure: null,
      engine_version: '1.0.0',
      measured_at: null,
      started_at: AT,
      completed_at: AT,
      created_at: AT,
      updated_at: AT,
    },
  }
}

const reportOf = (files: ReportFile[], name = 'Banners, first delivery') =>
  ({
    generated_at: AT,
    project: { id: ID, name: 'Spring launch' },
    agency: { id: ID, name: 'Northlight Studio' },
    batch: { name, status: 'in_review', round: 2, media_category: { id: ID, name: 'Display banners' } },
    counts: { pass: 1, warning: 0, fail: 1, not_applicable: 0, not_checked: 0, waivers: 1 },
    files,
  }) as BatchReport

const print = async (report: BatchReport) => readPdf(await renderBatchReport(report))

describe('the report of a batch on paper', () => {
  test('shows the worst file first: what was found, how to fix it, and what was waived by whom', async () => {
    const waiver = {
      reason_code: 'other' as const,
      reason: 'The publisher takes it',
      by: { id: ID, name: 'Caro Lindqvist' },
      at: AT,
      expires_at: null,
      scope: 'file' as const,
      confirmed_by: null,
    }
    const good = fileWith('good.png', 'pass', [check({ status: 'pass' }), check({ status: 'waived', waiver })])
    if (good.result) good.result.measured_at = AT
    const { pages, info } = await print(reportOf([good, fileWith('bad.png', 'fail', [check()])]))
    const text = pages.map((page) => page.text).join(' ')
    expect(text.indexOf('bad.png')).toBeLessThan(text.indexOf('good.png'))
    expect(text).toContain('The image is 298 × 600 px')
    expect(text).toContain('How to fix it: Export it at 300 × 600 px.')
    expect(text).toContain('Waived by Caro Lindqvist: The publisher takes it')
    expect(text).toContain(`measured ${AT.slice(0, 16).replace('T', ' ')} UTC`)
    expect(text).toContain('In review, round 2')
    expect(text).toContain(`SHA-256 ${'a'.repeat(64)}`)
    expect(info.Title).toBe('Banners, first delivery: Pre-QC report')
  })

  test('keeps everything on its pages, whatever names and findings hold', async () => {
    const hostile = `${'very-long-name-without-a-break'.repeat(8)}\u202egnp.exe 漢字 العربية`
    const long = check({ details: 'A sentence about what was measured. '.repeat(60), fix: 'word'.repeat(300) })
    const files = Array.from({ length: 40 }, (_, index) => fileWith(`${index}-${hostile}.png`, 'fail', [long, check()]))
    const { pages } = await print(reportOf(files, hostile))
    expect(pages.length).toBeGreaterThan(10)
    const outside = pages.flatMap(({ items }) =>
      items.filter(
        ({ x, y, width }) =>
          x < MARGIN.left - 1 || x + width > PAPER.width - MARGIN.right + 2 || y < 20 || y > PAPER.height - 20,
      ),
    )
    expect(outside).toEqual([])
    expect(pages.at(-1)?.text).toContain(`Page ${pages.length} of ${pages.length}`)
  })

  test('is the same, byte for byte, for the same report', async () => {
    const report = reportOf([fileWith('a.png', 'fail', [check()])])
    expect((await renderBatchReport(report)).equals(await renderBatchReport(report))).toBe(true)
  })
})
