import { MAX_LINES } from '@/lib/domain/cost-estimates/schema'
import type { DraftLine } from './draft'

/** What can be done with the lines of a draft; rows count from 0. */
export type LinesAction =
  | { type: 'change'; row: number; to: Partial<DraftLine> }
  | { type: 'add'; after: number; line: DraftLine }
  | { type: 'move'; from: number; to: number }
  /** `blank` takes the place of the last one: a table has at least one line. */
  | { type: 'remove'; row: number; blank: DraftLine }
  /** Below the row, or in its place where nothing was written into it. */
  | { type: 'paste'; row: number; lines: readonly DraftLine[] }

/** The lines after an action. Lines are replaced, never changed. */
export function changeLines(lines: DraftLine[], action: LinesAction): DraftLine[] {
  switch (action.type) {
    case 'change':
      return lines.map((line, row) => (row === action.row ? { ...line, ...action.to } : line))
    case 'add':
      return [...lines.slice(0, action.after + 1), action.line, ...lines.slice(action.after + 1)]
    case 'move': {
      const others = lines.filter((_, row) => row !== action.from)
      return [...others.slice(0, action.to), ...lines.slice(action.from, action.from + 1), ...others.slice(action.to)]
    }
    case 'remove':
      return lines.length === 1 ? [action.blank] : lines.filter((_, row) => row !== action.row)
    case 'paste':
      return [...lines.slice(0, placeOfPasted(lines, action.row)), ...action.lines, ...lines.slice(action.row + 1)]
  }
}

/** The row at which pasted lines begin. */
export const placeOfPasted = (lines: readonly DraftLine[], row: number): number => {
  const here = lines[row]
  return here && here.description === '' && here.unitPrice === '' ? row : row + 1
}

/** How many lines can be pasted: one more than are free, as the row they are pasted into may be an empty one. */
export const roomFor = (lines: readonly DraftLine[]): number => MAX_LINES - lines.length + 1
