import type { ContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { formatCount, formatNumber } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'
import { facts } from './facts'

const TITLE = { size: 17, leading: 22, most: 2 }

/** Which batch it is, how far it is decided, and which of its files are on this sheet. */
export function sheetHeading(set: Typesetter, sheet: ContactSheet): Block[] {
  const { batch, listed, files, part, parts } = sheet
  const title = set.shortened(batch.name.replace(/\s+/g, ' '), BODY_WIDTH, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine(
    parts > 1 ? `Contact sheet, part ${part} of ${parts}` : 'Contact sheet',
    BODY_WIDTH,
    9.5,
    700,
  )
  const [kind, name] = [new Tag('P'), new Tag('H1')]
  const { approved, rejected, pending } = batch.counts
  return [
    {
      height: 16 + title.length * TITLE.leading + 8,
      keepsWithNext: true,
      bookmark: 'Contact sheet',
      tags: [kind, name],
      draw: (pen) => {
        pen.words(eyebrow, { size: 9.5, color: COLOR.accent, tag: kind })
        pen.lines(title, { top: 14, width: BODY_WIDTH, size: TITLE.size, leading: TITLE.leading, tag: name })
      },
    },
    facts(set, { columns: 4, gap: 16, most: 2, below: 12 }, [
      ['Project', sheet.project],
      ['Agency', sheet.agency],
      ['State', `${LABELS.batchStatus[batch.status]}${batch.round > 0 ? `, round ${batch.round}` : ''}`],
      [
        'Files',
        parts > 1
          ? `${formatNumber(listed.length)} of ${formatCount(files, 'file')} on this part`
          : formatCount(files, 'file'),
      ],
      ['Approved', formatNumber(approved)],
      ['Rejected', formatNumber(rejected)],
      ['To decide', formatNumber(pending)],
      ['Media category', batch.media_category.name],
    ]),
  ]
}
