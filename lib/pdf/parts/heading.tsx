import type { EstimateSheet } from '../estimate-sheet'
import { writeDay } from '../figures'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import type { Typesetter } from '../typesetter'
import { Lines, Rule, Words } from './words'

const TITLE = { size: 19, leading: 25, most: 8 }
const FACT = { columns: 3, gap: 20, size: 9, leading: 12.5, label: 7.5, labelLeading: 12 }

/** What it is: number, title, and the facts a finance department looks for first. */
export function heading(set: Typesetter, sheet: EstimateSheet): Block[] {
  const title = set.shortened(sheet.title.replace(/\s+/g, ' '), BODY_WIDTH, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine(`Estimate ${sheet.number}`, BODY_WIDTH, 9.5, 700)
  return [
    {
      height: 18 + title.length * TITLE.leading + 12,
      keepsWithNext: true,
      bookmark: `Estimate ${sheet.number}`,
      draw: () => (
        <>
          <Words line={eyebrow} width={BODY_WIDTH} size={9.5} weight={700} color={COLOR.accent} />
          <Lines lines={title} top={16} width={BODY_WIDTH} size={TITLE.size} leading={TITLE.leading} weight={700} />
        </>
      ),
    },
    facts(set, sheet),
  ]
}

function facts(set: Typesetter, sheet: EstimateSheet): Block {
  const width = (BODY_WIDTH - FACT.gap * (FACT.columns - 1)) / FACT.columns
  const cells = [
    ['Prepared for', sheet.client],
    ['Date', writeDay(sheet.issuedAt)],
    ['Status', sheet.status],
    ['Project', sheet.project],
    ['Valid until', sheet.validUntil ? writeDay(sheet.validUntil) : 'No end date'],
    ['Revision', String(sheet.revision)],
    ['Prepared by', sheet.preparedBy],
    ['Currency', sheet.currency],
  ].map(([label = '', value = '']) => ({
    label: set.oneLine(label, width, FACT.label),
    value: set.shortened(value || '—', width, FACT.size, 4),
  }))
  let top = 14
  const placed = [0, 1, 2].flatMap((row) => {
    const inRow = cells.slice(row * FACT.columns, (row + 1) * FACT.columns)
    const at = inRow.map((cell, column) => ({ ...cell, top, left: column * (width + FACT.gap) }))
    top += FACT.labelLeading + Math.max(...inRow.map(({ value }) => value.length)) * FACT.leading + 9
    return at
  })
  return {
    height: top + 12,
    draw: () => (
      <>
        <Rule top={0} width={BODY_WIDTH} />
        {placed.map(({ label, value, left, top }) => [
          <Words
            key={`${left} ${top}`}
            line={label}
            left={left}
            top={top}
            width={width}
            size={FACT.label}
            color={COLOR.muted}
          />,
          <Lines
            key={`${left} ${top} value`}
            lines={value}
            left={left}
            top={top + FACT.labelLeading}
            width={width}
            size={FACT.size}
            leading={FACT.leading}
            align="left"
          />,
        ])}
      </>
    ),
  }
}
