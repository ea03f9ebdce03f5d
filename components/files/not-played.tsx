'use client'

import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { NotShown } from './not-shown'
import { MakingCopy } from './playback-note'
import { useMakePlayback } from './use-make-playback'
import { isBeingMade, type Played } from './use-playback'

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
  const make = useMakePlayback(file)
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
