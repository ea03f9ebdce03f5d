'use client'

import { Download, Fingerprint, Play } from 'lucide-react'
import { useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { KIND_ICONS } from '@/components/files/thumbnail'
import { ThumbnailImage } from '@/components/files/thumbnail-image'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyField } from '@/components/ui/code-block'
import { AnchorButton } from '@/components/ui/link-button'
import { ownPath } from '@/lib/client/own-path'
import { WITHHELD_WORDS } from '@/lib/domain/share-links/rules'
import type { SharedFile } from '@/lib/domain/share-links/schema'
import { formatBytes, formatDuration } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { isViewable } from './shared-preview'

/** One shared file: its image, what it is, and the ways to have it. */
export function SharedCard({ file, onView }: { file: SharedFile; onView: () => void }) {
  const [showsHash, setShowsHash] = useState(false)
  return (
    <article
      aria-label={file.name}
      className="flex w-full min-w-0 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-xs"
    >
      {file.withheld === null && <Look file={file} onView={onView} />}
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div className="min-w-0">
          <h2 className="text-base font-medium wrap-anywhere">
            <FileName name={file.name} />
          </h2>
          <p className="text-sm text-ink-muted tabular-nums">{factsOf(file).join(' · ')}</p>
        </div>
        {file.withheld !== null && (
          <div className="flex flex-col items-start gap-1 text-sm">
            <Badge>Not offered any more</Badge>
            <p className="text-ink-muted">{WITHHELD_WORDS[file.withheld]}</p>
          </div>
        )}
        {file.withheld === null && !file.is_current && (
          <p className="text-sm text-ink-muted">There is a newer version, which is not part of this link.</p>
        )}
        <div className="mt-auto flex flex-wrap items-center gap-2">
          {file.download_url && (
            <AnchorButton href={ownPath(file.download_url)} download aria-label={`Download ${file.name}`}>
              <Download aria-hidden="true" />
              Download
            </AnchorButton>
          )}
          <Button variant="ghost" aria-expanded={showsHash} onClick={() => setShowsHash(!showsHash)}>
            <Fingerprint aria-hidden="true" />
            SHA-256
          </Button>
        </div>
        {showsHash && <CopyField value={file.sha256} label={`SHA-256 of ${file.name}`} />}
      </div>
    </article>
  )
}

function Look({ file, onView }: { file: SharedFile; onView: () => void }) {
  const image = (
    <>
      <span aria-hidden="true" className="[&_svg]:size-8">
        {KIND_ICONS[file.kind]}
      </span>
      {file.thumbnail_url && <ThumbnailImage src={ownPath(file.thumbnail_url)} />}
      {file.media_url && (
        <span
          aria-hidden="true"
          className="absolute grid size-12 place-items-center rounded-full border border-line bg-surface text-ink"
        >
          <Play className="ml-0.5 size-5 fill-current" />
        </span>
      )}
    </>
  )
  const frame = 'relative grid aspect-video w-full place-items-center overflow-hidden bg-media text-ink-subtle'
  if (!isViewable(file)) return <div className={frame}>{image}</div>
  return (
    <button
      type="button"
      onClick={onView}
      aria-label={`${file.media_url ? 'Play' : 'View'} ${file.name}`}
      className={`${frame} cursor-pointer border-b border-line focus-visible:-outline-offset-2`}
    >
      {image}
    </button>
  )
}

const factsOf = ({ kind, version, width, height, duration_seconds, pages, size }: SharedFile): string[] => [
  LABELS.mediaKind[kind],
  ...(width && height ? [`${Math.round(width)} × ${Math.round(height)}`] : []),
  ...(duration_seconds ? [formatDuration(duration_seconds)] : []),
  ...(kind === 'document' && pages > 1 ? [`${pages} pages`] : []),
  formatBytes(size),
  ...(version > 1 ? [`version ${version}`] : []),
]
