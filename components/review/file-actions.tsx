'use client'

import { Columns2, Download, ExternalLink, Trash2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { buttonStyles } from '@/components/ui/button-styles'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { IconButton } from '@/components/ui/icon-button'
import { apiRequest } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File } from '@/lib/domain/files/schema'
import { roomAddress } from './place-in-address'
import type { Reviewer } from './reviewer'
import type { Reviewing } from './use-reviewing'
import type { Room } from './use-viewed-file'

const iconLink = buttonStyles({ variant: 'ghost', shape: 'icon', size: 'sm' })

/** Where the file stands among the others, and what can be done with it besides deciding. */
export function FileActions({
  file,
  room,
  reviewing,
  me,
}: {
  file: File
  room: Room
  reviewing: Reviewing
  me: Reviewer
}) {
  const { hasVersions, isViewable, isComparing, comparing, view } = reviewing
  return (
    <div className="ml-auto flex shrink-0 items-center gap-1">
      {room.at >= 0 && (
        <span className="mr-1 shrink-0 text-xs text-ink-subtle tabular-nums max-sm:sr-only" aria-live="polite">
          {room.at + 1} of {room.total}
        </span>
      )}
      {isViewable && (
        <Button
          size="sm"
          variant={isComparing ? 'soft' : 'ghost'}
          aria-pressed={isComparing}
          onClick={comparing.toggle}
        >
          <Columns2 />
          <span className="max-sm:sr-only">{hasVersions ? 'Compare versions' : 'Compare'}</span>
        </Button>
      )}
      <a
        href={roomAddress(room.batch, file.id, view, isComparing ? comparing.comparison : null)}
        target="_blank"
        rel="noopener"
        aria-label="Open in a new tab"
        title="Open in a new tab"
        className={iconLink}
      >
        <ExternalLink />
      </a>
      {!file.removed && (
        <a
          href={ownPath(file.download_url)}
          download
          aria-label={`Download ${file.name}`}
          title="Download"
          className={iconLink}
        >
          <Download />
        </a>
      )}
      {me.mayDelete && <DeleteFile file={file} room={room} />}
    </div>
  )
}

function DeleteFile({ file, room }: { file: File; room: Room }) {
  const remove = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/projects/{project_id}/batches/{batch_id}/files/{file_id}', {
        params: { ...room.batch, file_id: file.id },
      }),
    success: `${file.name} deleted`,
    onSuccess: room.leave,
  })
  return (
    <ConfirmDialog
      title={`Delete “${file.name}”?`}
      confirmLabel="Delete file"
      tone="danger"
      onConfirm={() => remove.mutateAsync()}
      trigger={<IconButton size="sm" label="Delete" icon={<Trash2 />} />}
    >
      Its bytes are removed from the store. The agency can send it again.
    </ConfirmDialog>
  )
}
