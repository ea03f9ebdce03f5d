'use client'

import { Ban, Pencil, Share2, UserX } from 'lucide-react'
import { useState } from 'react'
import { EraseGuestDialog } from '@/components/erasure/erase-dialog'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { IconButton } from '@/components/ui/icon-button'
import { Section } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { ShareLink } from '@/lib/domain/share-links/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { ERASED_PERSON, LABELS } from '@/lib/vocabulary'
import { EditShareLinkDialog, NewShareLinkDialog } from './share-link-dialog'

/** The links by which receivers without an account have approved files of this batch: make, copy, follow, switch off. */
export function ShareLinksPanel({
  path,
  links,
  mayShare,
  mayErase,
}: {
  path: { project_id: string; batch_id: string }
  links: readonly { link: ShareLink; etag: string }[]
  /** There is something to share. */
  mayShare: boolean
  mayErase: boolean
}) {
  return (
    <Section
      className="print:hidden"
      title="Share links"
      actions={
        mayShare && (
          <NewShareLinkDialog
            path={path}
            trigger={
              <Button variant="secondary" size="sm">
                <Share2 />
                Share files
              </Button>
            }
          />
        )
      }
    >
      {links.length === 0 ? (
        <p className="text-sm text-ink-muted">
          None yet. A link lets a receiver without an account view and download approved files.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {links.map(({ link, etag }) => (
            <Row key={link.id} path={path} link={link} etag={etag} mayErase={mayErase} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Row({
  path,
  link,
  etag,
  mayErase,
}: {
  path: { project_id: string; batch_id: string }
  link: ShareLink
  etag: string
  mayErase: boolean
}) {
  const [isErasing, setErasing] = useState(false)
  const deactivate = useApiMutation({
    request: () => apiRequest('DELETE /api/share-links/{share_link_id}', { params: { share_link_id: link.id } }),
    success: 'Link switched off',
  })
  const { files, offered, size } = link.counts
  const isActive = link.status === 'active'
  const isKnown = link.name !== ERASED_PERSON
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 text-xs text-ink-subtle tabular-nums">
          <p className="text-sm font-medium text-ink wrap-anywhere">{link.name}</p>
          <p>
            {offered === files ? formatCount(files, 'file') : `${offered} of ${formatCount(files, 'file')}`},{' '}
            {formatBytes(size)}
            {!link.may_download && ' · view only'}
            {link.has_password && ' · password'}
          </p>
          <p>
            {link.last_opened_at ? (
              <>
                Opened {link.opens === 1 ? 'once' : `${link.opens} times`}, downloaded{' '}
                {link.downloads === 1 ? 'once' : `${link.downloads} times`}, last{' '}
                <RelativeTime value={latest(link.last_opened_at, link.last_downloaded_at)} />
              </>
            ) : (
              'Not opened yet'
            )}
          </p>
          {link.expires_at && link.status !== 'deactivated' && (
            <p>
              {link.status === 'expired' ? 'Expired' : 'Expires'} <DateTime value={link.expires_at} />
            </p>
          )}
          {isActive && offered < files && (
            <p className="text-warn-ink">
              {formatCount(files - offered, 'file')} not offered any more: without approval now, or not kept
            </p>
          )}
        </div>
        <StatusBadge tone={isActive ? 'pass' : 'neutral'}>{LABELS.linkStatus[link.status]}</StatusBadge>
      </div>
      {(link.status !== 'deactivated' || (mayErase && isKnown)) && (
        <div className="flex flex-wrap items-center gap-1">
          {isActive && <CopyButton text={link.url} label="Copy link" showLabel variant="secondary" />}
          {link.status !== 'deactivated' && isKnown && (
            <EditShareLinkDialog
              path={path}
              link={link}
              etag={etag}
              trigger={<IconButton label={`Edit the share link for ${link.name}`} icon={<Pencil />} />}
            />
          )}
          {link.status !== 'deactivated' && (
            <ConfirmDialog
              title={`Switch off the share link for ${link.name}?`}
              confirmLabel="Switch off"
              tone="danger"
              onConfirm={() => deactivate.mutateAsync()}
              trigger={<IconButton label={`Switch off the share link for ${link.name}`} icon={<Ban />} />}
            >
              Nothing more can be viewed or downloaded through it. What was downloaded stays with the receiver. This
              cannot be undone.
            </ConfirmDialog>
          )}
          {mayErase && isKnown && (
            <>
              <IconButton label={`Erase ${link.name}`} icon={<UserX />} onClick={() => setErasing(true)} />
              <EraseGuestDialog kind="share" link={link} open={isErasing} onOpenChange={setErasing} />
            </>
          )}
        </div>
      )}
    </li>
  )
}

/** Times of ISO 8601 in UTC are in the order of their texts. */
const latest = (one: string, other: string | null) => (other && other > one ? other : one)
