'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { pathOfFile } from '@/components/files/use-playback'
import { api } from '@/lib/client/api'
import type { File } from '@/lib/domain/files/schema'
import { needsTiles } from '@/lib/domain/tiles/rules'
import type { ImageTiles } from '@/lib/domain/tiles/schema'

/** How far they are is asked for so often while they are made. */
const ASK_MS = 1000

/** A browser takes four bytes a pixel, and draws nothing where it has not so many. */
const MOST_PIXELS_DRAWN = 40_000_000

export type Tiled = {
  tiles: ImageTiles['tiles']
  /** Whether the file itself is drawn for its pixels, where browsers know its format. */
  needsOriginal: boolean
  isBeingMade: boolean
  failure: string | null
  makeAgain: () => void
}

const isBeingMade = (found: ImageTiles | undefined) => found?.status === 'queued' || found?.status === 'running'

/**
 * The tiles of a large image. They are made when they are wanted for the first time.
 * @param readsPixels whether colours are read from the image, by the loupe
 */
export function useTiles(file: File, isWanted: boolean, readsPixels: boolean): Tiled {
  const queries = useQueryClient()
  const isNeeded = file.removed === null && file.previews_removed === null && needsTiles(file.media_type, file.media)
  const pixels = Number(file.media.width) * Number(file.media.height)
  const params = pathOfFile(file)
  const queryKey = ['tiles', file.id]
  const make = () => api('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/tiles', { params })
  const { data, error, isPending } = useQuery({
    queryKey,
    async queryFn() {
      const found = await api('GET /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/tiles', { params })
      return found.status === null ? make() : found
    },
    enabled: isNeeded && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) => (isBeingMade(state.data) ? ASK_MS : false),
  })
  return {
    tiles: data?.tiles ?? null,
    needsOriginal: !(pixels > MOST_PIXELS_DRAWN) && (!isNeeded || readsPixels || (!isPending && !data?.tiles)),
    isBeingMade: isBeingMade(data),
    failure: data?.failure ?? error?.message ?? null,
    makeAgain: () => void make().then((made) => queries.setQueryData(queryKey, made)),
  }
}
