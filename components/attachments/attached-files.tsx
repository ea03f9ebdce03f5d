'use client'

import { Paperclip, X } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { ownPath } from '@/lib/client/own-path'
import type { Attachment } from '@/lib/domain/review/schema'
import { formatBytes } from '@/lib/format'

/** What a comment carries: images as they were drawn by the service, everything else by its name. */
export function AttachedFiles({
  attachments,
  remove,
  className,
}: {
  attachments: readonly Attachment[]
  /** For its author. */
  remove?: ((attachment: Attachment) => void) | undefined
  className?: string
}) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label="Attached files" className={cn('mt-2 flex flex-wrap items-start gap-2', className)}>
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className={cn(
            'flex max-w-full min-w-0 flex-col overflow-hidden rounded-md border border-line-strong bg-surface',
            // Of one size before its image has come, so that nothing below it moves when it does.
            attachment.picture_url && 'w-48',
          )}
        >
          {attachment.picture_url && (
            <a
              href={ownPath(attachment.picture_url)}
              target="_blank"
              rel="noreferrer"
              aria-label={`View ${attachment.name}`}
              className="block bg-media"
            >
              {/* biome-ignore lint/performance/noImgElement: drawn by the service, behind a sign-in or a link */}
              <img src={ownPath(attachment.picture_url)} alt="" loading="lazy" className="h-36 w-full object-contain" />
            </a>
          )}
          <span className="flex min-w-0 items-center">
            <Named attachment={attachment} />
            {remove && (
              <button
                type="button"
                aria-label={`Remove ${attachment.name} from the comment`}
                onClick={() => remove(attachment)}
                className="grid size-7 shrink-0 place-items-center text-ink-muted hover:bg-hover pointer-coarse:size-10"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Named({ attachment: { name, size, download_url } }: { attachment: Attachment }) {
  const words = (
    <>
      <Paperclip aria-hidden="true" className="size-3.5 shrink-0 text-ink-subtle" />
      <span className="min-w-0 truncate" title={name}>
        {name}
      </span>
      <span className="shrink-0 text-ink-subtle tabular-nums">{download_url ? formatBytes(size) : 'not kept'}</span>
    </>
  )
  const look = 'flex min-h-7 min-w-0 flex-1 items-center gap-1.5 px-2 text-xs pointer-coarse:min-h-10'
  if (download_url === null) return <span className={cn(look, 'text-ink-muted')}>{words}</span>
  return (
    <a href={ownPath(download_url)} download={name} className={cn(look, 'hover:bg-hover')}>
      <span className="sr-only">Download </span>
      {words}
    </a>
  )
}
