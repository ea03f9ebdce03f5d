import type { EstimateSheet } from '../estimate-sheet'
import { writeDay, writeDecimal } from '../figures'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import type { Typesetter } from '../typesetter'
import { Rule, Words } from './words'

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
  const rows = steps.map(({ label, value }) => ({
    label: set.oneLine(label, width - set.width(value, SIZE) - 12, SIZE),
    value: set.oneLine(value, width, SIZE),
  }))
  const totalLabel = set.oneLine('Total', 60, 11, 700)
  const totalLine = set.oneLine(total, Number.POSITIVE_INFINITY, totalSize, 700)
  const validity = set.oneLine(
    sheet.validUntil ? `Valid until ${writeDay(sheet.validUntil)}.` : 'All amounts as of the date above.',
    left - 20,
    8,
  )
  const top = 12
  const totalTop = top + rows.length * ROW + 8
  return {
    height: totalTop + 46,
    bookmark: 'Total',
    draw: () => (
      <>
        <Words line={validity} top={top} width={Math.max(0, left - 20)} size={8} color={COLOR.muted} />
        {rows.map(({ label, value }, index) => [
          <Words
            key={label.text}
            line={label}
            left={left}
            top={top + index * ROW}
            width={width}
            size={SIZE}
            color={COLOR.muted}
          />,
          <Words
            key={`${label.text} value`}
            line={value}
            left={left}
            top={top + index * ROW}
            width={width}
            size={SIZE}
            align="right"
          />,
        ])}
        <Rule top={totalTop - 4} left={left} width={width} color={COLOR.strong} weight={0.8} />
        <Words line={totalLabel} left={left} top={totalTop + 4} width={60} size={11} weight={700} />
        <Words
          line={totalLine}
          left={left}
          top={totalTop + 2}
          width={width}
          size={totalSize}
          weight={700}
          align="right"
        />
      </>
    ),
  }
}
