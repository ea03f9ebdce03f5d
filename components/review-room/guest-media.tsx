'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { toast } from 'sonner'
import type { Drawing } from '@/components/drawing/use-drawing'
import { NoCopy, PlaybackNote } from '@/components/files/playback-note'
import { playedSource } from '@/components/files/played-source'
import { useCanPlayPieces, useGrowing } from '@/components/review/use-growing'
import type { Pieces } from '@/lib/client/growing-media'
import { ownPath } from '@/lib/client/own-path'
import type { RoomFile } from '@/lib/domain/review-links/schema'
import { toMillisecond } from '@/lib/timecode'
import { DrawLayer, Marks, Pens, Watermark } from './guest-overlay'
import { roomKey } from './use-room-live'

export type Player = RefObject<HTMLVideoElement | HTMLAudioElement | null>

type Props = {
  token: string
  file: RoomFile
  watermark: string | null
  player: Player
  drawing: Drawing
  write: () => void
}

/** The player of a film or a sound: of the file, or of the copy that was made of it. Where there is none, why. */
export function GuestMedia({ token, file, watermark, player, drawing, write }: Props) {
  const canPlayPieces = useCanPlayPieces()
  const [hasGivenUp, setGivenUp] = useState(false)
  const source = playedSource(file)
  const pieces = source === null && canPlayPieces && !hasGivenUp ? (file.playback?.pieces ?? null) : null
  const original = file.download_url ? ownPath(file.download_url) : null
  if (!source && (!pieces || file.kind === 'audio'))
    return <NoCopy file={file} poster={file.picture_url && ownPath(file.picture_url)} />
  return (
    <>
      <PlaybackNote playback={file.playback} original={original} />
      {file.kind === 'video' ? (
        <GuestVideo
          token={token}
          file={file}
          source={source}
          pieces={pieces}
          giveUpPieces={() => setGivenUp(true)}
          watermark={watermark}
          player={player as RefObject<HTMLVideoElement | null>}
          drawing={drawing}
          write={write}
        />
      ) : (
        <div className="bg-media p-4">
          {/* biome-ignore lint/a11y/useMediaCaption: what is said is what is reviewed */}
          <audio
            ref={player as RefObject<HTMLAudioElement>}
            key={source}
            src={source ?? undefined}
            controls
            controlsList="nodownload"
            preload="metadata"
            aria-label={`Audio of ${file.name}`}
            className="w-full"
          />
        </div>
      )}
    </>
  )
}

/** Half a frame at 25 a second: a player that is stopped shows the frame it was drawn on. */
const SAME_FRAME = 0.02

function GuestVideo({
  token,
  file,
  source,
  pieces,
  giveUpPieces,
  watermark,
  player,
  drawing,
  write,
}: {
  token: string
  file: RoomFile
  /** Null while there are only pieces of a copy that is being made. */
  source: string | null
  pieces: Pieces | null
  giveUpPieces: () => void
  watermark: string | null
  player: RefObject<HTMLVideoElement | null>
  drawing: Drawing
  write: () => void
}) {
  const [isDrawing, setOn] = useState(false)
  const [time, setTime] = useState(0)
  const queries = useQueryClient()
  const src = useGrowing(player, source, pieces, () => queries.invalidateQueries({ queryKey: roomKey(token) }))
  // By the container at first; the player knows better, once it has read the file.
  const [ratio, setRatio] = useState(file.width && file.height ? file.width / file.height : 16 / 9)
  const now = toMillisecond(time)
  const halt = () => player.current?.pause()
  const drawnAt = drawing.place.time ?? 0
  return (
    <div className="bg-media">
      <Pens
        drawing={drawing}
        isOn={isDrawing}
        setOn={(isOn) => {
          if (isOn) halt()
          setOn(isOn)
        }}
        write={write}
        mayDraw={file.is_current}
      />
      <div className="grid place-items-center">
        <div className="relative max-w-full" style={{ width: `min(100%, ${70 * ratio}dvh)`, aspectRatio: ratio }}>
          {/* biome-ignore lint/a11y/useMediaCaption: captions, where there are any, are in the file */}
          <video
            ref={player}
            src={src}
            onError={() => source === null && giveUpPieces()}
            poster={file.picture_url ? ownPath(file.picture_url) : undefined}
            controls={!isDrawing}
            playsInline
            preload="metadata"
            // Without the page around it there would be no name over it.
            controlsList={watermark ? 'nodownload nofullscreen noremoteplayback' : 'nodownload'}
            disablePictureInPicture={watermark !== null}
            aria-label={`Video ${file.name}`}
            onTimeUpdate={(event) => setTime(event.currentTarget.currentTime)}
            onSeeked={(event) => setTime(event.currentTarget.currentTime)}
            onLoadedMetadata={({ currentTarget: { videoWidth, videoHeight } }) => {
              if (videoWidth > 0 && videoHeight > 0) setRatio(videoWidth / videoHeight)
            }}
            className="block size-full"
          />
          <Marks file={file} page={null} time={time} draft={null} drawing={drawing} />
          <Watermark text={watermark} />
          {(isDrawing || drawing.shapes.length > 0) && (
            <DrawLayer
              drawing={drawing}
              isOn={isDrawing}
              place={{ time: now }}
              isHere={drawing.shapes.length === 0 || Math.abs(drawnAt - now) <= SAME_FRAME}
              goBack={() => {
                halt()
                if (player.current) player.current.currentTime = drawnAt
                toast.info(
                  'One comment is drawn on one frame: this is the frame of your drawing. Send it to draw on another.',
                )
              }}
              begin={halt}
              stop={() => setOn(false)}
            />
          )}
        </div>
      </div>
    </div>
  )
}
