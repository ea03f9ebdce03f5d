'use client'

import { useRef, useState } from 'react'
import { NotPlayed } from '@/components/files/not-played'
import { PlaybackNote } from '@/components/files/playback-note'
import { ownPath } from '@/components/files/thumbnail'
import { usePlayback } from '@/components/files/use-playback'
import type { File } from '@/lib/domain/files/schema'
import type { Playback } from '@/lib/domain/playback/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { AudioCurves } from './audio-curves'
import { CommentAtTime } from './comment-at-time'
import { Transport } from './transport'
import { usePlayer } from './use-player'
import type { View } from './use-view'

type Props = { file: File; view: View; checks: readonly CheckLine[]; mayComment: boolean }

/** An audio file: its waveform with the loudness over it. */
export function AudioStage(props: Props) {
  const { file, checks, mayComment } = props
  const played = usePlayback(file)
  if (played.source) return <AudioPlayer key={played.source} {...props} {...played} source={played.source} />
  return (
    <section aria-label={`Player of ${file.name}`} className="grid min-h-0 flex-1 place-items-center bg-media">
      <NotPlayed file={file} checks={checks} played={played} mayMake={mayComment} />
    </section>
  )
}

function AudioPlayer({
  file,
  view,
  checks,
  mayComment,
  source,
  playback,
}: Props & { source: string; playback: Playback | null }) {
  const media = useRef<HTMLAudioElement>(null)
  const player = usePlayer(media, view, 1 / 25)
  const [hasFailed, setFailed] = useState(false)
  return (
    <>
      <PlaybackNote playback={playback} original={ownPath(file.download_url)} />
      <section
        aria-label={`Player of ${file.name}`}
        {...player.keys}
        className="grid min-h-0 flex-1 content-center bg-media p-4 outline-offset-[-2px]"
      >
        <AudioCurves
          file={file}
          source={source}
          size={playback?.copy?.size ?? file.size}
          view={view}
          duration={player.duration}
          seek={player.seek}
          className="h-64 max-h-full rounded-lg border"
        />
        {hasFailed ? (
          <div className="mt-4 grid justify-items-center">
            <NotPlayed
              file={file}
              checks={checks}
              played={{ source, playback, isLoading: false }}
              mayMake={mayComment && playback !== null}
            />
          </div>
        ) : (
          <audio
            ref={media}
            key={file.id}
            src={source}
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
