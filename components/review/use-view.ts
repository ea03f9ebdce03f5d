'use client'

import { useState } from 'react'
import { useDrawing } from '@/components/drawing/use-drawing'
import type { Focus } from '@/components/pre-qc/occurrences'
import type { File } from '@/lib/domain/files/schema'
import type { Comment } from '@/lib/domain/review/schema'
import type { Draft, Mark } from './marks'
import { clockOf, pagesOf } from './room-file'

export type Tool = 'move' | 'loupe' | 'comment' | 'draw'

const fresh = {
  focus: null as Focus | null,
  draft: null as Draft,
  selectedId: null as string | null,
  editedId: null as string | null,
  page: 1,
  time: 0,
}

/** How a file is viewed: with which tool, at which page and time, at which finding or comment. Each file anew. */
export function useView(file: File | null, comments: readonly Comment[]) {
  const [tool, setTool] = useState<Tool>('move')
  const [state, setState] = useState({ fileId: file?.id, ...fresh })
  // Another file is viewed from its beginning; set while rendering, so that no frame shows the one with the marks of the other.
  const drawing = useDrawing()
  const [isWriting, setWriting] = useState(false)
  if (state.fileId !== file?.id) {
    setState({ fileId: file?.id, ...fresh })
    if (drawing.shapes.length > 0) drawing.clear()
  }
  const put = (change: Partial<typeof fresh>) => setState((held) => ({ ...held, ...change }))
  const marks: Mark[] = comments
    .filter((comment) => comment.file_id === file?.id && comment.parent_id === null)
    .map((comment, index) => ({ number: index + 1, comment }))
  return {
    ...state,
    /** What a new comment is pinned to: what is drawn for it, or where was pointed. */
    draft: state.editedId ? null : (drawing.anchor ?? state.draft),
    drawing,
    /** How a time of the file is written, of seconds. */
    clock: clockOf(file),
    tool,
    marks,
    /** A comment on another version that is shown at its place in this one. */
    carried:
      comments.find(({ id, file_id, parent_id }) => id === state.selectedId && file_id !== file?.id && !parent_id) ??
      null,
    /** The words of the comment are to be typed next. */
    isWriting,
    setWriting,
    setTool(next: Tool) {
      setTool(next)
      if (next !== 'comment') put({ draft: null })
    },
    setFocus: (focus: Focus | null) =>
      put({ focus, ...(focus?.occurrence?.page !== undefined && { page: focus.occurrence.page }) }),
    setDraft(draft: Draft) {
      if (draft === null) drawing.clear()
      put({ draft, selectedId: null })
    },
    setPage: (page: number) => put({ page, draft: null }),
    setTime: (time: number) => put({ time }),
    /** Shows a moment; a player that is still on its way begins there. */
    seek(time: number) {
      put({ time })
      for (const seek of seekListeners) seek(time)
    },
    /** Takes the shapes of a comment of one's own up again, to be moved and removed; null: gives that up. */
    edit(comment: Comment | null) {
      if (comment === null) {
        if (state.editedId === null) return
        drawing.giveBack()
        setTool('move')
        put({ editedId: null })
      } else if (comment.shapes.length > 0 && comment.anchor) {
        const { page, time } = comment.anchor as { page?: number; time?: number }
        drawing.load(comment.shapes, { ...(page !== undefined && { page }), ...(time !== undefined && { time }) })
        setTool('draw')
        put({
          editedId: comment.id,
          selectedId: comment.id,
          focus: null,
          ...(page !== undefined && { page }),
        })
        if (time !== undefined) for (const seek of seekListeners) seek(time)
      }
    },
    /** Shows a comment where it is pinned. */
    select(id: string | null) {
      const anchor = comments.find((comment) => comment.id === id)?.anchor
      const time = anchor && 'time' in anchor ? (anchor.time ?? null) : null
      put({
        selectedId: id,
        focus: null,
        draft: null,
        ...(time !== null && { time }),
        ...(anchor &&
          'page' in anchor &&
          anchor.page !== undefined && { page: Math.min(anchor.page, file ? pagesOf(file) : 1) }),
      })
      for (const seek of seekListeners) if (time !== null) seek(time)
    },
  }
}

export type View = ReturnType<typeof useView>

/** Players on screen, which are set to a time. */
export const seekListeners = new Set<(seconds: number) => void>()
