import { Columns2, Download } from 'lucide-react'
import { ownPath } from '@/components/files/thumbnail'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import type { File } from '@/lib/domain/files/schema'
import type { Room } from './use-room'

/** The name of the file on the stage, its place in the rail, and what can be done with it. */
export function FileTitle({
  file,
  room,
  hasVersions,
  isComparing,
  toggleComparing,
}: {
  file: File
  room: Room
  hasVersions: boolean
  isComparing: boolean
  toggleComparing: () => void
}) {
  return (
    <div className="flex min-h-10 items-center gap-2 border-b border-line bg-surface px-3 py-1">
      <h2 className="min-w-0 truncate text-sm font-medium" title={file.name}>
        {file.name}
      </h2>
      {file.version > 1 && <span className="shrink-0 text-xs text-ink-subtle">Version {file.version}</span>}
      <span className="ml-auto shrink-0 text-xs text-ink-subtle tabular-nums" aria-live="polite">
        {room.at + 1} of {room.rail.total}
      </span>
      {hasVersions && (
        <Button size="sm" variant={isComparing ? 'soft' : 'ghost'} aria-pressed={isComparing} onClick={toggleComparing}>
          <Columns2 />
          <span className="max-sm:sr-only">Compare versions</span>
        </Button>
      )}
      {!file.removed && (
        <a
          href={ownPath(file.download_url)}
          download
          aria-label={`Download ${file.name}`}
          className={buttonStyles({ variant: 'ghost', shape: 'icon', size: 'sm' })}
        >
          <Download />
        </a>
      )}
    </div>
  )
}
