import { formatCount } from '@/lib/client/format'
import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { LABELS } from '@/lib/vocabulary'
import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import type { Typesetter } from '../typesetter'
import { Lines, Rule, Words } from './words'

const TITLE = { size: 19, leading: 25, most: 4 }
const FACT = { columns: 4, gap: 16, size: 9, leading: 12.5, label: 7.5, labelLeading: 12 }

/** Which batch it is, and how its files stand. */
export function reportHeading(set: Typesetter, report: BatchReport): Block[] {
  const { batch, counts } = report
  const title = set.shortened(batch.name.replace(/\s+/g, ' '), BODY_WIDTH, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine('Pre-QC report', BODY_WIDTH, 9.5, 700)
  return [
    {
      height: 18 + title.length * TITLE.leading + 12,
      keepsWithNext: true,
      bookmark: 'Pre-QC report',
      draw: () => (
        <>
          <Words line={eyebrow} width={BODY_WIDTH} size={9.5} weight={700} color={COLOR.accent} />
          <Lines lines={title} top={16} width={BODY_WIDTH} size={TITLE.size} leading={TITLE.leading} weight={700} />
        </>
      ),
    },
    facts(set, [
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

function facts(set: Typesetter, pairs: readonly (readonly [string, string])[]): Block {
  const width = (BODY_WIDTH - FACT.gap * (FACT.columns - 1)) / FACT.columns
  const cells = pairs.map(([label, value]) => ({
    label: set.oneLine(label, width, FACT.label),
    value: set.shortened(value, width, FACT.size, 3),
  }))
  let top = 14
  const rows = Math.ceil(cells.length / FACT.columns)
  const placed = Array.from({ length: rows }, (_, row) => {
    const inRow = cells.slice(row * FACT.columns, (row + 1) * FACT.columns)
    const at = inRow.map((cell, column) => ({ ...cell, top, left: column * (width + FACT.gap) }))
    top += FACT.labelLeading + Math.max(...inRow.map(({ value }) => value.length)) * FACT.leading + 9
    return at
  }).flat()
  return {
    height: top + 8,
    draw: () => (
      <>
        <Rule top={0} width={BODY_WIDTH} />
        {placed.map(({ label, value, left, top }) => [
          <Words key={`${left} ${top}`} {...{ line: label, left, top, width }} size={FACT.label} color={COLOR.muted} />,
          <Lines
            key={`${left} ${top} value`}
            {...{ lines: value, left, top: top + FACT.labelLeading, width }}
            size={FACT.size}
            leading={FACT.leading}
            align="left"
          />,
        ])}
      </>
    ),
  }
}
