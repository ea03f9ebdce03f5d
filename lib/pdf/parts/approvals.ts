import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import { formatLongDate } from '@/lib/format'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'
import { sectionTitle } from './prose'

const COLUMN = { step: 150, who: 150, decision: BODY_WIDTH - 300 }
const GAP = 14
const TEXT = { size: 9, leading: 12.5 }
const DECISION = { pending: 'Pending', approved: 'Approved', rejected: 'Rejected' } as const
const DECISION_COLOR = { pending: COLOR.muted, approved: COLOR.accent, rejected: COLOR.fail } as const

/** Who decided what, and when: each step in order, the client last. Long comments are cut: the screen has them whole. */
export function approvals(set: Typesetter, sheet: EstimateSheet): Block[] {
  if (sheet.approvals.length === 0) return []
  const table = new Tag('Table')
  return [
    sectionTitle(set, 'Approvals'),
    ...sheet.approvals.map(({ step, who, decision, at, comment }): Block => {
      const stepLines = set.shortened(step, COLUMN.step - GAP, TEXT.size, 4)
      const whoLines = set.shortened(who || '—', COLUMN.who - GAP, TEXT.size, 4)
      const decided = set.oneLine(
        at ? `${DECISION[decision]}, ${formatLongDate(at)}` : DECISION[decision],
        COLUMN.decision,
        TEXT.size,
      )
      const said = comment === '' ? [] : set.shortened(comment, COLUMN.decision, 8, 8)
      const cells = table.add('TR')
      const [stepTag, whoTag, saidTag] = [cells.add('TH', { scope: 'Row' }), cells.add('TD'), cells.add('TD')]
      const height = Math.max(stepLines.length, whoLines.length, 1 + said.length) * TEXT.leading + 11
      return {
        height,
        rule: { color: COLOR.rule, weight: 0.5 },
        tags: [table],
        draw: (pen) => {
          pen.lines(stepLines, { ...TEXT, top: 5, width: COLUMN.step - GAP, align: 'left', tag: stepTag })
          pen.lines(whoLines, {
            ...TEXT,
            left: COLUMN.step,
            top: 5,
            width: COLUMN.who - GAP,
            align: 'left',
            tag: whoTag,
          })
          pen.words(decided, {
            left: COLUMN.step + COLUMN.who,
            top: 5,
            size: TEXT.size,
            color: DECISION_COLOR[decision],
            tag: saidTag,
          })
          pen.lines(said, {
            left: COLUMN.step + COLUMN.who,
            top: 5 + TEXT.leading,
            width: COLUMN.decision,
            size: 8,
            leading: TEXT.leading,
            color: COLOR.muted,
            tag: saidTag,
          })
        },
      }
    }),
  ]
}
