'use client'

import { Ban, Plus, QrCode as QrIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { StatusBadge, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { Section } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { UploadLink } from '@/lib/domain/upload-links/schema'
import { formatBytes } from '@/lib/format'
import { LABELS, type LinkStatus } from '@/lib/vocabulary'
import { EditLinkDialog, NewLinkDialog } from './link-dialog'

const QrCode = dynamic(() => import('@/components/ui/qr-code').then((module) => module.QrCode), { loading: () => null })

const TONES: Record<LinkStatus, Tone> = {
  active: 'pass',
  expired: 'neutral',
  used_up: 'neutral',
  deactivated: 'neutral',
}

const nameOf = (link: UploadLink) => link.label || 'Link without a label'

/** The links through which agencies upload to this batch: make, copy, show as a code, stop. */
export function LinksPanel({
  batchId,
  links,
  isClosed,
  isCancelled,
  pausedBecause,
}: {
  batchId: string
  links: readonly { link: UploadLink; etag: string }[]
  isClosed: boolean
  /** Links of a cancelled batch are over, as the agency is informed. */
  isCancelled: boolean
  /** Why the links take nothing now; null when they do. */
  pausedBecause: string | null
}) {
  return (
    <Section
      className="print:hidden"
      title="Upload links"
      actions={
        !isClosed && (
          <NewLinkDialog
            batchId={batchId}
            trigger={
              <Button variant="secondary" size="sm">
                <Plus />
                New link
              </Button>
            }
          />
        )
      }
    >
      {links.length === 0 ? (
        <p className="text-sm text-ink-muted">
          None yet. A link lets the agency upload to this batch without an account, and says at once what is wrong with
          a file.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {links.map(({ link, etag }) => (
            <LinkRow
              key={link.id}
              link={isCancelled ? { ...link, status: 'deactivated' } : link}
              etag={etag}
              pausedBecause={pausedBecause}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}

function LinkRow({ link, etag, pausedBecause }: { link: UploadLink; etag: string; pausedBecause: string | null }) {
  const isPaused = pausedBecause !== null && link.status === 'active'
  const deactivate = useApiMutation({
    request: () => apiRequest('DELETE /api/upload-links/{link_id}', { params: { link_id: link.id } }),
    success: 'Link deactivated',
  })
  const uses =
    link.max_uses === null
      ? `${link.use_count} ${link.use_count === 1 ? 'use' : 'uses'}`
      : `${link.use_count} of ${link.max_uses} uses`
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-sm font-medium wrap-anywhere">{nameOf(link)}</p>
          <p className="text-xs text-ink-subtle">
            {uses}
            {link.max_bytes !== null && ` · ${formatBytes(link.received_bytes ?? 0)} of ${formatBytes(link.max_bytes)}`}
            {link.has_password && ' · password'} ·{' '}
            {link.last_used_at ? (
              <>
                last used <RelativeTime value={link.last_used_at} />
              </>
            ) : (
              'not used yet'
            )}
          </p>
          {isPaused && <p className="text-xs text-ink-muted">{pausedBecause}: it takes no files now.</p>}
          {link.expires_at && (
            <p className="text-xs text-ink-subtle">
              {link.status === 'expired' ? 'Expired' : 'Expires'} <DateTime value={link.expires_at} />
            </p>
          )}
        </div>
        <StatusBadge tone={isPaused ? 'neutral' : TONES[link.status]}>
          {isPaused ? 'Paused' : LABELS.linkStatus[link.status]}
        </StatusBadge>
      </div>
      {link.status !== 'deactivated' && (
        <div className="flex items-center gap-1">
          {link.status === 'active' && (
            <>
              <CopyButton text={link.url} label="Copy link" showLabel variant="secondary" />
              <Dialog
                title={nameOf(link)}
                description="Scan it to open the upload page."
                trigger={<IconButton label={`Show ${nameOf(link)} as a code`} icon={<QrIcon />} />}
              >
                <DialogBody className="flex flex-col items-center gap-3">
                  <QrCode value={link.url} label={`QR code of ${nameOf(link)}`} className="size-56 rounded-lg" />
                  <code className="font-mono text-sm wrap-anywhere">{link.url}</code>
                </DialogBody>
              </Dialog>
            </>
          )}
          <EditLinkDialog
            link={link}
            etag={etag}
            trigger={
              <Button variant="ghost" size="sm">
                Edit
              </Button>
            }
          />
          <ConfirmDialog
            title={`Deactivate “${nameOf(link)}”?`}
            confirmLabel="Deactivate link"
            tone="danger"
            onConfirm={() => deactivate.mutateAsync()}
            trigger={<IconButton label={`Deactivate ${nameOf(link)}`} icon={<Ban />} />}
          >
            It stops working at once, also for uploads that are under way. What was uploaded stays. This cannot be
            undone.
          </ConfirmDialog>
        </div>
      )}
    </li>
  )
}
