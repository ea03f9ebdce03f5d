import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { announce } from '@/components/ui/announcer'
import { MAX_LINES } from '@/lib/domain/cost-estimates/schema'
import { formatCount } from '@/lib/format'
import { type DraftLine, emptyLine } from './draft'
import type { Column, RowActions } from './line-row'
import { type LinesAction, placeOfPasted, roomFor } from './lines'
import { linesFrom } from './pasted-rows'

/** What keys, pasting and dragging do to the lines of a table, and which row has the focus. All functions stay the same. */
export function useLineKeys(
  body: RefObject<HTMLElement | null>,
  lines: DraftLine[],
  dispatch: (action: LinesAction) => void,
) {
  const [dragged, setDragged] = useState<{ from: number; to: number } | null>(null)
  const [active, setActive] = useState(0)
  const [, setTurn] = useState(0)

  // The row may only come into the document with what was just changed: it gets the focus once it is there.
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const found = wanted.current && body.current?.querySelector<HTMLElement>(`[data-cell="${wanted.current}"]`)
    if (!found) return
    wanted.current = null
    found.focus()
  })

  const latest = useRef({ lines, dragged })
  latest.current = { lines, dragged }
  const [{ act, focus, add }] = useState(() => {
    const focus = (row: number, column: Column) => {
      wanted.current = `${row}:${column}`
      setActive(row)
      // Another render also where the row is the one that had the focus.
      setTurn((turn) => turn + 1)
    }
    const add = (after: number) => {
      if (latest.current.lines.length >= MAX_LINES) return announce(`An estimate holds ${MAX_LINES} lines.`)
      dispatch({ type: 'add', after, line: emptyLine() })
      focus(after + 1, 'description')
    }
    const move = (from: number, to: number, column: Column = 'description') => {
      const count = latest.current.lines.length
      if (to < 0 || to >= count) return
      dispatch({ type: 'move', from, to })
      focus(to, column)
      announce(`Moved to line ${to + 1} of ${count}`)
    }
    const act: RowActions = {
      change: (row, to) => dispatch({ type: 'change', row, to }),
      remove(row) {
        const count = latest.current.lines.length
        dispatch({ type: 'remove', row, blank: emptyLine() })
        focus(Math.max(0, Math.min(row, count - 2)), 'description')
        announce(`Line ${row + 1} removed`)
      },
      move,
      onKeyDown(event: KeyboardEvent, row, column) {
        if (event.nativeEvent.isComposing) return
        const count = latest.current.lines.length
        const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
        if (step !== 0 && event.altKey) {
          event.preventDefault()
          move(row, row + step, column)
        } else if (step !== 0 && isAtEdge(event, step)) {
          if (row + step < 0 || row + step >= count) return
          event.preventDefault()
          focus(row + step, column)
        } else if (event.key === 'Enter' && !event.shiftKey) {
          event.preventDefault()
          if (row === count - 1) add(row)
          else focus(row + 1, column)
        }
      },
      onPaste(event: ClipboardEvent, row) {
        const text = event.clipboardData.getData('text/plain')
        if (!text.includes('\t')) return
        event.preventDefault()
        const { lines } = latest.current
        const pasted = linesFrom(text).slice(0, roomFor(lines))
        dispatch({ type: 'paste', row, lines: pasted })
        announce(`${formatCount(pasted.length, 'line')} pasted`)
        focus(placeOfPasted(lines, row) + pasted.length - 1, 'description')
      },
      drag: (from) => setDragged(from === null ? null : { from, to: from }),
      dragOver(to) {
        const { dragged } = latest.current
        if (dragged && dragged.to !== to) setDragged({ ...dragged, to })
        return dragged !== null
      },
      drop(row) {
        const { dragged } = latest.current
        if (dragged && dragged.from !== row) move(dragged.from, row)
        return dragged !== null
      },
    }
    return { act, focus, add }
  })
  return { act, focus, add, active, setActive, dragged }
}

/** In text of several lines the arrows first move within it. */
function isAtEdge(event: KeyboardEvent, step: number): boolean {
  const target = event.target
  if (!(target instanceof HTMLTextAreaElement)) return true
  const { selectionStart, selectionEnd, value } = target
  if (selectionStart !== selectionEnd) return false
  return step < 0 ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionEnd).includes('\n')
}
