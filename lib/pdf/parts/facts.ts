import type { Block } from '../pages'
import { BODY_WIDTH, COLOR } from '../paper'
import { Tag } from '../tags'
import type { Typesetter } from '../typesetter'

const FACT = { size: 9, leading: 12.5, label: 7.5, labelLeading: 12 }

/** `gap` between columns and what is left free `below`, in points; `most` lines of a value. */
type Grid = { columns: number; gap: number; most: number; below: number }

/** What each thing is called and what it is, row by row in columns of the same width. */
export function facts(set: Typesetter, grid: Grid, pairs: readonly (readonly [string, string])[]): Block {
  const width = (BODY_WIDTH - grid.gap * (grid.columns - 1)) / grid.columns
  const list = new Tag('L')
  const cells = pairs.map(([label, value]) => {
    const item = list.add('LI')
    return {
      label: set.oneLine(label, width, FACT.label),
      value: set.shortened(value || '—', width, FACT.size, grid.most),
      labelTag: item.add('Lbl'),
      valueTag: item.add('LBody'),
    }
  })
  let top = 14
  const rows = Math.ceil(cells.length / grid.columns)
  const placed = Array.from({ length: rows }, (_, row) => {
    const inRow = cells.slice(row * grid.columns, (row + 1) * grid.columns)
    const at = inRow.map((cell, column) => ({ ...cell, top, left: column * (width + grid.gap) }))
    top += FACT.labelLeading + Math.max(...inRow.map(({ value }) => value.length)) * FACT.leading + 9
    return at
  }).flat()
  return {
    height: top + grid.below,
    tags: [list],
    draw: (pen) => {
      pen.rule({ top: 0, width: BODY_WIDTH })
      for (const { label, value, labelTag, valueTag, left, top } of placed) {
        pen.words(label, { left, top, size: FACT.label, color: COLOR.muted, tag: labelTag })
        pen.lines(value, {
          left,
          top: top + FACT.labelLeading,
          width,
          size: FACT.size,
          leading: FACT.leading,
          align: 'left',
          tag: valueTag,
        })
      }
    },
  }
}
