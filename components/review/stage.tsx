'use client'

import dynamic from 'next/dynamic'
import { RemovedNotice } from '@/components/files/removed-notice'
import type { File } from '@/lib/domain/files/schema'
import { ImageStage } from './image-stage'
import { isGone } from './room-file'
import type { Reviewing } from './use-reviewing'
import type { Room } from './use-viewed-file'

// Players are loaded with the first file of their kind. They are drawn on the server, too: nothing waits for their code.
const VideoStage = dynamic(() => import('./video-stage').then((module) => module.VideoStage), { loading: () => null })
const AudioStage = dynamic(() => import('./audio-stage').then((module) => module.AudioStage), { loading: () => null })
const BannerStage = dynamic(() => import('./banner-stage').then((module) => module.BannerStage), {
  loading: () => null,
})
const CompareStage = dynamic(() => import('./compare-stage').then((module) => module.CompareStage), {
  loading: () => null,
})

type Props = { file: File; room: Room; reviewing: Reviewing; mayComment: boolean }

/** One file, large, in the way of its kind; or others beside it. */
export function Stage({ file, room, reviewing, mayComment }: Props) {
  const { view } = reviewing
  const checks = room.result?.checks ?? []
  if (reviewing.isComparing)
    return (
      <CompareStage
        key={file.id}
        batch={room.batch}
        file={file}
        versions={reviewing.comparable}
        view={view}
        comparing={reviewing.comparing}
      />
    )
  if (isGone(file)) {
    return (
      <div className="grid min-h-0 flex-1 place-items-center overflow-auto bg-media">
        <RemovedNotice file={file} />
      </div>
    )
  }
  switch (file.media.kind) {
    case 'video':
      return <VideoStage key={file.id} file={file} view={view} checks={checks} mayComment={mayComment} />
    case 'audio':
      return <AudioStage key={file.id} file={file} view={view} checks={checks} mayComment={mayComment} />
    case 'archive':
      return <BannerStage key={file.id} file={file} batch={room.batch} />
    default:
      return <ImageStage key={file.id} file={file} view={view} mayComment={mayComment} />
  }
}
