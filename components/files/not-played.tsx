'use client'

import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { NotShown } from './not-shown'
import { MakingCopy } from './playback-note'
import { ownPath } from './thumbnail'
import { isBeingMade, type Played, pathOfFile, playbackKey } from './use-playback'

/** In place of a player, while there is no copy of the file: it is being made, or why there is none. */
export function NotPlayed({
  file,
  checks,
  played: { playback, isLoading },
  mayMake,
}: {
  file: File
  checks: readonly CheckLine[]
  played: Played
  mayMake: boolean
}) {
  const poster = file.preview_url ? ownPath(file.preview_url) : null
  const make = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/playback', {
        params: pathOfFile(file),
      }),
    invalidate: [playbackKey(file.id)],
    refresh: false,
  })
  if (isLoading) return <Skeleton className="h-40 w-full max-w-xl" />
  if (isBeingMade(playback)) return <MakingCopy playback={playback} poster={poster} />
  return (
    <NotShown file={file} checks={checks} why={playback?.failure}>
      {mayMake && (
        <Button size="sm" onClick={() => make.mutate()} loading={make.isPending}>
          <RotateCw />
          {playback?.failure ? 'Try again' : 'Make a playback copy'}
        </Button>
      )}
    </NotShown>
  )
}
