'use client'

import type { File } from '@/lib/domain/files/schema'
import type { CheckLine } from '@/lib/domain/pre-qc/schema'
import { AudioStage } from './audio-stage'
import { BannerStage } from './banner-stage'
import { CompareStage } from './compare-stage'
import { PictureStage } from './picture-stage'
import type { Look } from './use-look'
import type { Room } from './use-room'
import { VideoStage } from './video-stage'

type Props = {
  file: File
  versions: readonly File[]
  isComparing: boolean
  look: Look
  checks: readonly CheckLine[]
  batch: Room['batch']
  mayComment: boolean
}

/** One file, large, in the way of its kind. */
export function Stage({ file, versions, isComparing, look, checks, batch, mayComment }: Props) {
  if (isComparing) return <CompareStage key={file.id} file={file} versions={versions} />
  switch (file.media.kind) {
    case 'video':
      return <VideoStage key={file.id} file={file} look={look} checks={checks} mayComment={mayComment} />
    case 'audio':
      return <AudioStage key={file.id} file={file} look={look} checks={checks} mayComment={mayComment} />
    case 'archive':
      return <BannerStage key={file.id} file={file} batch={batch} />
    default:
      return <PictureStage key={file.id} file={file} look={look} mayComment={mayComment} />
  }
}
