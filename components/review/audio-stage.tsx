'use client'

import { useRef, useState } from 'react'
import { NotPlayed } from '@/components/files/not-played'
import { PlaybackNote } from '@/components/files/playback-note'
import { ownPath } from '@/lib/client/own-path'
import type { Playback } from '@/lib/domain/playback/schema'
import { AudioCurves } from './audio-curves'
import { CommentAtTime } from './comment-at-time'
import { PlayedFile, type PlayedProps } from './played-file'
import { Transport } from './transport'
import { usePlayer } from './use-player'

/** An audio file: its waveform with the loudness over it. */
export const AudioStage = (props: PlayedProps) => (
  <PlayedFile {...props}>
    {({ source, playback }) => source && <AudioPlayer key={source} {...props} source={source} playback={playback} />}
  </PlayedFile>
)

function AudioPlayer({
  file,
  view,
  checks,
  mayComment,
  source,
  playback,
}: PlayedProps & { source: string; playback: Playback | null }) {
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
          playback={playback}
          mayMake={mayComment}
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
              mayMake={mayComment && playback?.is_needed === true}
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
        <Transport player={player} media={media} view={view} checks={checks} rate={25} start={null} playback={playback}>
          {mayComment && <CommentAtTime player={player} view={view} />}
        </Transport>
      )}
    </>
  )
}
