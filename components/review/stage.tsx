'use client'

import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { AudioStage } from './audio-stage'
import { BannerStage } from './banner-stage'
import { CompareStage } from './compare-stage'
import { ImageStage } from './image-stage'
import type { Room } from './use-room'
import type { View } from './use-view'
import { VideoStage } from './video-stage'

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
  if (isComparing) return <CompareStage key={file.id} file={file} versions={versions} />
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
