import { Archive, AudioLines, FileText, FileType, Film, ImageIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import { LABELS, type MediaKind } from '@/lib/vocabulary'
import { ThumbnailImage } from './thumbnail-image'

export const KIND_ICONS: Record<MediaKind, ReactNode> = {
  image: <ImageIcon />,
  video: <Film />,
  audio: <AudioLines />,
  document: <FileText />,
  archive: <Archive />,
  other: <FileType />,
}

/** A file's image in a box of fixed shape; its kind as an icon until there is one, or where there is none. */
export function Thumbnail({
  file,
  className,
}: {
  file: Pick<File, 'name' | 'media' | 'thumbnail_url'>
  className?: string
}) {
  return (
    <span
      className={cn(
        'relative grid shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-media text-ink-subtle [&_svg]:size-5',
        className,
      )}
    >
      <span aria-hidden="true">{KIND_ICONS[file.media.kind]}</span>
      {file.thumbnail_url ? (
        <ThumbnailImage src={ownPath(file.thumbnail_url)} />
      ) : (
        <span className="sr-only">{LABELS.mediaKind[file.media.kind]}</span>
      )}
    </span>
  )
}
