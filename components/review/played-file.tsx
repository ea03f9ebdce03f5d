import type { ReactNode } from 'react'
import { NotPlayed } from '@/components/files/not-played'
import { usePlayback } from '@/components/files/use-playback'
import type { File } from '@/lib/domain/files/schema'
import type { Playback } from '@/lib/domain/playback/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import type { View } from './use-view'

export type PlayedProps = { file: File; view: View; checks: readonly CheckLine[]; mayComment: boolean }

/** What can be played of the file, given to `children`; where there is nothing, why. */
export function PlayedFile({
  file,
  checks,
  mayComment,
  children,
}: PlayedProps & { children: (source: string, playback: Playback | null) => ReactNode }) {
  const played = usePlayback(file)
  if (played.source) return children(played.source, played.playback)
  return (
    <section aria-label={`Player of ${file.name}`} className="grid min-h-0 flex-1 place-items-center bg-media">
      <NotPlayed file={file} checks={checks} played={played} mayMake={mayComment} />
    </section>
  )
}
