'use client'

import { useRef, useState } from 'react'
import { NotShown } from '@/components/files/not-shown'
import { ownPath } from '@/components/files/thumbnail'
import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { AudioCurves } from './audio-curves'
import { CommentAtTime } from './comment-at-time'
import { Transport } from './transport'
import { usePlayer } from './use-player'
import type { View } from './use-view'

/** An audio file: its waveform with the loudness over it. */
export function AudioStage({
  file,
  view,
  checks,
  mayComment,
}: {
  file: File
  view: View
  checks: readonly CheckLine[]
  mayComment: boolean
}) {
  const media = useRef<HTMLAudioElement>(null)
  const player = usePlayer(media, view, 1 / 25)
  const [hasFailed, setFailed] = useState(false)
  return (
    <>
      <section
        aria-label={`Player of ${file.name}`}
        {...player.keys}
        className="grid min-h-0 flex-1 content-center bg-media p-4 outline-offset-[-2px]"
      >
        <AudioCurves
          file={file}
          view={view}
          duration={player.duration}
          seek={player.seek}
          className="h-64 max-h-full rounded-lg border"
        />
        {hasFailed ? (
          <div className="mt-4 grid justify-items-center">
            <NotShown file={file} checks={checks} />
          </div>
        ) : (
          <audio
            ref={media}
            key={file.id}
            src={ownPath(file.download_url)}
            preload="auto"
            onError={() => setFailed(true)}
            {...player.events}
          />
        )}
      </section>
      {!hasFailed && (
        <Transport player={player} media={media} view={view} checks={checks} rate={25}>
          {mayComment && <CommentAtTime player={player} view={view} />}
        </Transport>
      )}
    </>
  )
}
