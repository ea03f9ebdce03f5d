import type { FieldProblem } from '@/lib/client/api'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import {
  type Draft,
  type EstimateRequest,
  inCurrency,
  isSameJson,
  requestOf,
  rowOfItem,
  withoutForeignSigns,
} from './draft'
import type { Column } from './line-row'
import { changeLines, type LinesAction } from './lines'
import { plainly } from './plain-problems'

/** The version that another user saved meanwhile. */
type Theirs = { estimate: Estimate; etag: string; by: { name: string; is_you: boolean } | null }
type Refusal = { problems: readonly FieldProblem[]; request: EstimateRequest | null }

export type EditorState = {
  draft: Draft
  /** The request as it was saved last. */
  saved: EstimateRequest
  etag: string | null
  /** What the last request was refused for. */
  refused: Refusal
  conflict: Theirs | null
  /** What was typed before the version of another user took its place. */
  mine: Draft | null
  /** The server responded that it is not there any more. */
  isGone: boolean
}

export type EditorAction =
  | { type: 'set'; values: Partial<Draft> }
  | { type: 'lines'; change: LinesAction }
  | { type: 'convert'; currency: string }
  | { type: 'drop foreign signs' }
  | { type: 'saved'; request: EstimateRequest }
  | ({ type: 'refused' } & Refusal)
  | { type: 'met'; theirs: Theirs }
  | { type: 'gone' }
  /** `draft`: their version, to be typed on. */
  | { type: 'take theirs'; draft: Draft; etag: string }
  | { type: 'take mine' }

export const openEditor = (draft: Draft, etag: string | null): EditorState => ({
  draft,
  saved: requestOf(draft),
  etag,
  refused: { problems: [], request: null },
  conflict: null,
  mine: null,
  isGone: false,
})

export function editorReducer(state: EditorState, action: EditorAction): EditorState {
  const { draft } = state
  switch (action.type) {
    case 'set':
      return { ...state, draft: { ...draft, ...action.values } }
    case 'lines':
      return { ...state, draft: { ...draft, lines: changeLines(draft.lines, action.change) } }
    case 'convert':
      return { ...state, draft: inCurrency(draft, action.currency) }
    case 'drop foreign signs':
      return { ...state, draft: withoutForeignSigns(draft) }
    case 'saved':
      return {
        ...state,
        saved: action.request,
        refused: { problems: [], request: action.request },
        conflict: null,
        mine: null,
      }
    case 'refused':
      return { ...state, refused: { problems: action.problems, request: action.request } }
    case 'met':
      return { ...state, conflict: action.theirs }
    case 'gone':
      return { ...state, isGone: true }
    case 'take theirs':
      return {
        ...state,
        draft: action.draft,
        saved: requestOf(action.draft),
        etag: action.etag,
        conflict: null,
        mine: draft,
      }
    case 'take mine':
      return { ...state, draft: state.mine ?? draft, mine: null }
  }
}

/** The problems of the last refusal that are left: what was fixed since is none any more. */
export const problemsLeft = ({ problems, request: then }: Refusal, now: EstimateRequest): readonly FieldProblem[] =>
  problems.length === 0 ? problems : problems.filter(({ path }) => isSameJson(at(now, path), at(then, path)))

const at = (request: EstimateRequest | null, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], request)

/** By row of the table: why its values were refused. */
export type LineErrors = ReadonlyMap<number, Readonly<Partial<Record<Column, string>>>>

const NO_ERRORS: LineErrors = new Map()
const COLUMN_OF: Record<string, Column> = { description: 'description', quantity: 'quantity', unit_price: 'unitPrice' }

export function errorsByRow(
  problems: readonly FieldProblem[],
  draft: Draft,
  foreign: readonly { row: number }[],
): LineErrors {
  if (problems.length + foreign.length === 0) return NO_ERRORS
  const found = new Map<number, Partial<Record<Column, string>>>()
  for (const { row } of foreign) found.set(row, { unitPrice: `Not in ${draft.currency}` })
  for (const problem of problems) {
    const [, item, field] = /^line_items\.(\d+)(?:\.(\w+))?/.exec(problem.path) ?? []
    if (item === undefined) continue
    const row = rowOfItem(draft, Number(item))
    found.set(row, { ...found.get(row), [COLUMN_OF[field ?? ''] ?? 'description']: plainly(problem) })
  }
  return found
}
