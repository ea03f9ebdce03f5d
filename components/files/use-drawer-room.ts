'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { refetchFiles } from '@/components/review/room-queries'
import { useDecisions } from '@/components/review/use-decisions'
import { type Room, useViewedFile } from '@/components/review/use-viewed-file'
import { announce } from '@/components/ui/announcer'
import { refreshSoon } from '@/lib/client/refresh'
import type { FilePowers } from './powers'

/** The neighbours of a file are those of the list behind the drawer. */
export type Neighbours = {
  /** Where the file stands in the list, from 0; -1 where the list does not hold it. */
  at: number
  total: number
  move: (step: number) => void
  open: (fileId: string) => void
  /** The next file of the list that is to be decided; null where there is none. */
  nextPending: (fileId: string) => Promise<string | null>
  close: () => void
}

/** The review room in small: one file of the list of the batch page. */
export function useDrawerRoom(fileId: string, powers: FilePowers, neighbours: Neighbours): Room {
  const queryClient = useQueryClient()
  const router = useRouter()
  const batch = { project_id: powers.projectId, batch_id: powers.batchId }
  const { at, total, move, open, close } = neighbours
  const viewed = useViewedFile(batch, fileId, null)
  const { file, newest } = viewed
  const refresh = () => refreshSoon(router)
  const { decide, undoLast } = useDecisions({
    batch,
    queryClient,
    file,
    mayReview: powers.mayReview,
    open,
    goOn: (id) =>
      void neighbours.nextPending(id).then(
        (next) => (next ? open(next) : announce('Every file shown is decided.')),
        // Without an answer the file stays.
        () => undefined,
      ),
    onDone: refresh,
  })
  // A newer version came: that one is viewed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `open` is another function each time
  useEffect(() => {
    if (newest) open(newest.id)
  }, [newest?.id])
  return {
    ...viewed,
    batch,
    at,
    total,
    move,
    decide,
    undoLast,
    refetch: async () => {
      await refetchFiles(queryClient, powers.batchId)
      refresh()
    },
    leave: close,
  }
}
