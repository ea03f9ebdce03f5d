import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import { formatLongDate } from '@/lib/format'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'
import { facts } from './facts'

const TITLE = { size: 19, leading: 25, most: 8 }

/** What it is: number, title, and the facts a finance department needs first. */
export function heading(set: Typesetter, sheet: EstimateSheet): Block[] {
  const title = set.shortened(sheet.title.replace(/\s+/g, ' '), BODY_WIDTH, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine(`Estimate ${sheet.number}`, BODY_WIDTH, 9.5, 700)
  const kind = new Tag('P')
  const name = new Tag('H1')
  return [
    {
      height: 18 + title.length * TITLE.leading + 12,
      keepsWithNext: true,
      bookmark: `Estimate ${sheet.number}`,
      tags: [kind, name],
      draw: (pen) => {
        pen.words(eyebrow, { size: 9.5, color: COLOR.accent, tag: kind })
        pen.lines(title, { top: 16, width: BODY_WIDTH, size: TITLE.size, leading: TITLE.leading, tag: name })
      },
    },
    facts(set, { columns: 3, gap: 20, most: 4, below: 12 }, [
      ['Prepared for', sheet.client],
      ['Date', formatLongDate(sheet.issuedAt)],
      ['Status', sheet.status],
      ['Project', sheet.project],
      ['Valid until', sheet.validUntil ? formatLongDate(sheet.validUntil) : 'No end date'],
      ['Revision', String(sheet.revision)],
      ['Prepared by', sheet.preparedBy],
      ['Currency', sheet.currency],
    ]),
  ]
}
