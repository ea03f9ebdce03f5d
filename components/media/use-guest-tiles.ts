'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sendRequest } from '@/lib/client/api'
import type { ImageTiles } from '@/lib/domain/tiles/schema'
import type { Tiled } from './use-tiles'

/** How far they are is asked for so often while they are made. */
const ASK_MS = 1000

const isBeingMade = (found: ImageTiles | undefined) => found?.status === 'queued' || found?.status === 'running'

/** The tiles of a large image that a link shows; they are made when they are wanted for the first time. */
export function useGuestTiles(path: string): Tiled {
  const queries = useQueryClient()
  const queryKey = ['guest tiles', path]
  const make = () => sendRequest<ImageTiles>({ method: 'POST', path })
  const { data, error } = useQuery({
    queryKey,
    async queryFn() {
      const found = await sendRequest<ImageTiles>({ method: 'GET', path })
      return found.status === null ? make() : found
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: ({ state }) => (isBeingMade(state.data) ? ASK_MS : false),
  })
  return {
    tiles: data?.tiles ?? null,
    needsOriginal: false,
    isBeingMade: isBeingMade(data),
    failure: data?.failure ?? error?.message ?? null,
    makeAgain: () => void make().then((made) => queries.setQueryData(queryKey, made)),
  }
}
