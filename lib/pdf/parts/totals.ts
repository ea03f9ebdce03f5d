import type { EstimateSheet } from '@/lib/domain/cost-estimates/estimate-sheet'
import { formatLongDate } from '@/lib/format'
import { writeDecimal } from '../amounts'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'

const WIDTH = 250
const ROW = 16
const SIZE = 9

/** From subtotal to total, in one piece: it is never divided between pages. */
export function totals(set: Typesetter, sheet: EstimateSheet): Block {
  const amount = (value: string) => writeDecimal(value, sheet.minorUnits)
  const steps = [
    { label: 'Subtotal', value: amount(sheet.subtotal) },
    ...(sheet.discount ? [{ label: sheet.discount.label, value: `-${amount(sheet.discount.amount)}` }] : []),
    ...(sheet.tax ? [{ label: sheet.tax.label, value: amount(sheet.tax.amount) }] : []),
  ]
  const total = `${sheet.currency} ${amount(sheet.total)}`
  const widest = Math.max(set.width(total, 13, 700) + 60, ...steps.map(({ value }) => set.width(value, SIZE) + 90))
  const width = Math.min(BODY_WIDTH, Math.max(WIDTH, widest))
  const left = BODY_WIDTH - width
  const totalSize = Math.min(13, (13 * (width - 50)) / set.width(total, 13, 700))
  const note = new Tag('P')
  const table = new Tag('Table')
  const rowTags = () => {
    const cells = table.add('TR')
    return { labelTag: cells.add('TH', { scope: 'Row' }), valueTag: cells.add('TD') }
  }
  const rows = steps.map(({ label, value }) => ({
    ...rowTags(),
    label: set.oneLine(label, width - set.width(value, SIZE) - 12, SIZE),
    value: set.oneLine(value, width, SIZE),
  }))
  const totalTags = rowTags()
  const totalLabel = set.oneLine('Total', 60, 11, 700)
  const totalLine = set.oneLine(total, Number.POSITIVE_INFINITY, totalSize, 700)
  const validity = set.oneLine(
    sheet.validUntil ? `Valid until ${formatLongDate(sheet.validUntil)}.` : 'All amounts as of the date above.',
    left - 20,
    8,
  )
  const top = 12
  const totalTop = top + rows.length * ROW + 8
  return {
    height: totalTop + 46,
    bookmark: 'Total',
    tags: [note, table],
    draw: (pen) => {
      pen.words(validity, { top, size: 8, color: COLOR.muted, tag: note })
      for (const [index, { label, value, labelTag, valueTag }] of rows.entries()) {
        pen.words(label, { left, top: top + index * ROW, size: SIZE, color: COLOR.muted, tag: labelTag })
        pen.words(value, { left, top: top + index * ROW, width, size: SIZE, align: 'right', tag: valueTag })
      }
      pen.rule({ top: totalTop - 4, left, width, color: COLOR.strong, weight: 0.8 })
      pen.words(totalLabel, { left, top: totalTop + 4, size: 11, tag: totalTags.labelTag })
      pen.words(totalLine, { left, top: totalTop + 2, width, size: totalSize, align: 'right', tag: totalTags.valueTag })
    },
  }
}
