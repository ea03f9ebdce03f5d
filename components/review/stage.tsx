'use client'

import dynamic from 'next/dynamic'
import { RemovedNotice } from '@/components/files/removed-notice'
import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { ImageStage } from './image-stage'
import { isGone } from './room-file'
import type { Room } from './use-room'
import type { View } from './use-view'

// Players are loaded with the first file of their kind. They are drawn on the server, too: nothing waits for their code.
const VideoStage = dynamic(() => import('./video-stage').then((module) => module.VideoStage))
const AudioStage = dynamic(() => import('./audio-stage').then((module) => module.AudioStage))
const BannerStage = dynamic(() => import('./banner-stage').then((module) => module.BannerStage))
const CompareStage = dynamic(() => import('./compare-stage').then((module) => module.CompareStage))

type Props = {
  file: File
  versions: readonly File[]
  isComparing: boolean
  view: View
  checks: readonly CheckLine[]
  batch: Room['batch']
  mayComment: boolean
}

/** One file, large, in the way of its kind. */
export function Stage({ file, versions, isComparing, view, checks, batch, mayComment }: Props) {
  if (isComparing) return <CompareStage key={file.id} file={file} versions={versions} view={view} />
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
      return <BannerStage key={file.id} file={file} batch={batch} />
    default:
      return <ImageStage key={file.id} file={file} view={view} mayComment={mayComment} />
  }
}
