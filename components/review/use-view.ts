'use client'

import { useState } from 'react'
import type { Focus } from '@/components/pre-qc/occurrences'
import type { File } from '@/lib/domain/files/schema'
import type { Comment } from '@/lib/domain/review/schema'
import type { Draft, Mark } from './marks'

export type Tool = 'move' | 'loupe' | 'comment'

const fresh = { focus: null as Focus | null, draft: null as Draft, selectedId: null as string | null, page: 1, time: 0 }

/** How a file is viewed: with which tool, at which page and time, at which finding or comment. Each file anew. */
export function useView(file: File | null, comments: readonly Comment[]) {
  const [tool, setTool] = useState<Tool>('move')
  const [state, setState] = useState({ fileId: file?.id, ...fresh })
  // Another file is viewed from its beginning; set while rendering, so that no frame shows the one with the marks of the other.
  if (state.fileId !== file?.id) setState({ fileId: file?.id, ...fresh })
  const put = (change: Partial<typeof fresh>) => setState((held) => ({ ...held, ...change }))
  const marks: Mark[] = comments
    .filter((comment) => comment.file_id === file?.id && comment.parent_id === null)
    .map((comment, index) => ({ number: index + 1, comment }))
  return {
    ...state,
    tool,
    marks,
    setTool(next: Tool) {
      setTool(next)
      if (next !== 'comment') put({ draft: null })
    },
    setFocus: (focus: Focus | null) =>
      put({ focus, ...(focus?.occurrence?.page !== undefined && { page: focus.occurrence.page }) }),
    setDraft: (draft: Draft) => put({ draft, selectedId: null }),
    setPage: (page: number) => put({ page, draft: null }),
    setTime: (time: number) => put({ time }),
    /** Shows a comment where it is pinned. */
    select(id: string | null) {
      const anchor = marks.find(({ comment }) => comment.id === id)?.comment.anchor
      put({
        selectedId: id,
        focus: null,
        draft: null,
        ...(anchor && 'page' in anchor && anchor.page !== undefined && { page: anchor.page }),
      })
      if (anchor && 'time' in anchor && anchor.time !== undefined)
        seekListeners.forEach((seek) => void seek(anchor.time ?? 0))
    },
  }
}

export type View = ReturnType<typeof useView>

/** Players on screen, which are set to a time. */
export const seekListeners = new Set<(seconds: number) => void>()
