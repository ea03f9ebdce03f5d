import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'
import { facts } from './facts'

const TITLE = { size: 19, leading: 25, most: 4 }

/** Which batch it is, and how its files stand. */
export function reportHeading(set: Typesetter, report: BatchReport): Block[] {
  const { batch, counts } = report
  const title = set.shortened(batch.name.replace(/\s+/g, ' '), BODY_WIDTH, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine('Pre-QC report', BODY_WIDTH, 9.5, 700)
  const kind = new Tag('P')
  const name = new Tag('H1')
  return [
    {
      height: 18 + title.length * TITLE.leading + 12,
      keepsWithNext: true,
      bookmark: 'Pre-QC report',
      tags: [kind, name],
      draw: (pen) => {
        pen.words(eyebrow, { size: 9.5, color: COLOR.accent, tag: kind })
        pen.lines(title, { top: 16, width: BODY_WIDTH, size: TITLE.size, leading: TITLE.leading, tag: name })
      },
    },
    facts(set, { columns: 4, gap: 16, most: 3, below: 8 }, [
      ['Project', report.project.name],
      ['Agency', report.agency.name],
      ['Media category', batch.media_category.name],
      ['State', `${LABELS.batchStatus[batch.status]}${batch.round > 0 ? `, round ${batch.round}` : ''}`],
      ['Files', formatCount(report.files.length, 'file')],
      ['Pass', String(counts.pass)],
      ['Warning', String(counts.warning)],
      ['Fail', String(counts.fail)],
      ['Not applicable', String(counts.not_applicable)],
      ['Not checked', String(counts.not_checked)],
      ['Waived findings', String(counts.waivers)],
    ]),
  ]
}
