import { type ReactNode, useState } from 'react'
import { NotPlayed } from '@/components/files/not-played'
import { usePlayback } from '@/components/files/use-playback'
import type { File } from '@/lib/domain/files/schema'
import type { Playback } from '@/lib/domain/playback/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { useCanPlayPieces } from './use-growing'
import type { View } from './use-view'

export type PlayedProps = { file: File; view: View; checks: readonly CheckLine[]; mayComment: boolean }

/** `source`: null while there are only pieces of a copy that is being made. */
export type ToPlay = {
  source: string | null
  playback: Playback | null
  /** The browser makes nothing of the pieces: the whole is waited for. */
  giveUpPieces: () => void
}

/** What can be played of the file, given to `children`; where there is nothing, why. */
export function PlayedFile({
  file,
  checks,
  mayComment,
  children,
}: PlayedProps & { children: (toPlay: ToPlay) => ReactNode }) {
  const played = usePlayback(file)
  const [hasGivenUp, setGivenUp] = useState(false)
  const canPlayPieces = useCanPlayPieces()
  const { source, playback } = played
  if (source || (playback?.pieces && !hasGivenUp && canPlayPieces))
    return children({ source, playback, giveUpPieces: () => setGivenUp(true) })
  return (
    <section aria-label={`Player of ${file.name}`} className="grid min-h-0 flex-1 place-items-center bg-media">
      <NotPlayed file={file} checks={checks} played={played} mayMake={mayComment} />
    </section>
  )
}
