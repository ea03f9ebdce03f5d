'use client'

import { useQuery } from '@tanstack/react-query'
import { Ban, Pencil, Plus, UserX } from 'lucide-react'
import { useState } from 'react'
import { EraseGuestDialog } from '@/components/erasure/erase-dialog'
import { StatusBadge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { CopyButton } from '@/components/ui/copy-button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { ErrorState } from '@/components/ui/error-state'
import { IconButton } from '@/components/ui/icon-button'
import { Section } from '@/components/ui/page-header'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { Skeleton } from '@/components/ui/skeleton'
import { type ApiProblem, api, apiRequest, type ResponseTo } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { ReviewLink } from '@/lib/domain/review-links/schema'
import { ERASED_PERSON, LABELS } from '@/lib/vocabulary'
import { EditReviewLinkDialog, NewReviewLinkDialog } from './review-link-dialog'

/** The links by which people without an account review this batch: make, copy, see what they decided, switch off. */
export function ReviewLinksPanel({
  batchId,
  links,
  stages,
  isClosed,
  mayErase,
}: {
  batchId: string
  links: readonly { link: ReviewLink; etag: string }[]
  /** Those a link can take part in. */
  stages: readonly { id: string; name: string }[]
  isClosed: boolean
  mayErase: boolean
}) {
  return (
    <Section
      className="print:hidden"
      title="Review links"
      actions={
        !isClosed && (
          <NewReviewLinkDialog
            batchId={batchId}
            stages={stages}
            trigger={
              <Button variant="secondary" size="sm">
                <Plus />
                New review link
              </Button>
            }
          />
        )
      }
    >
      {links.length === 0 ? (
        <p className="text-sm text-ink-muted">
          None yet. A link lets a client, legal or a partner see the files, comment and decide without an account.
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
          {links.map(({ link, etag }) => (
            <Row
              key={link.id}
              link={link}
              etag={etag}
              isClosed={isClosed}
              stage={stages.find(({ id }) => id === link.stage_id)?.name}
              mayErase={mayErase}
            />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Row({
  link,
  etag,
  stage,
  isClosed,
  mayErase,
}: {
  link: ReviewLink
  etag: string
  stage?: string
  isClosed: boolean
  mayErase: boolean
}) {
  const [isErasing, setErasing] = useState(false)
  const deactivate = useApiMutation({
    request: () => apiRequest('DELETE /api/review-links/{review_link_id}', { params: { review_link_id: link.id } }),
    success: 'Link switched off',
  })
  const { approved, rejected } = link.decisions
  const isActive = link.status === 'active'
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="text-sm font-medium wrap-anywhere">{link.name}</p>
          <p className="text-xs text-ink-subtle">
            {LABELS.reviewParty[link.party]}
            {stage && ` · ${stage}`}
            {link.has_password && ' · password'}
            {link.may_download && ' · downloads'} ·{' '}
            {link.last_used_at ? (
              <>
                last seen <RelativeTime value={link.last_used_at} />
              </>
            ) : (
              'not opened yet'
            )}
            {approved + rejected === 0 && link.last_used_at && ' · nothing decided yet'}
          </p>
          {link.expires_at && (
            <p className="text-xs text-ink-subtle">
              {link.status === 'expired' ? 'Expired' : 'Expires'} <DateTime value={link.expires_at} />
            </p>
          )}
        </div>
        <StatusBadge tone={isActive ? 'pass' : 'neutral'}>{LABELS.linkStatus[link.status]}</StatusBadge>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        {isActive && <CopyButton text={link.url} label="Copy link" showLabel variant="secondary" />}
        {approved + rejected > 0 && (
          <Dialog
            title={`Decided by ${link.name}`}
            description="Each on the version and the bytes that were seen."
            trigger={
              <Button variant="ghost" size="sm">
                {approved} approved, {rejected} rejected
              </Button>
            }
          >
            <DialogBody>
              <Decisions id={link.id} />
            </DialogBody>
          </Dialog>
        )}
        {link.status !== 'deactivated' && !isClosed && link.name !== ERASED_PERSON && (
          <EditReviewLinkDialog
            link={link}
            etag={etag}
            trigger={<IconButton label={`Edit the link for ${link.name}`} icon={<Pencil />} />}
          />
        )}
        {link.status !== 'deactivated' && (
          <ConfirmDialog
            title={`Switch off the link for ${link.name}?`}
            confirmLabel="Switch off"
            tone="danger"
            onConfirm={() => deactivate.mutateAsync()}
            trigger={<IconButton label={`Switch off the link for ${link.name}`} icon={<Ban />} />}
          >
            Open pages close within two seconds. What was said and decided stays. This cannot be undone.
          </ConfirmDialog>
        )}
        {mayErase && link.name !== ERASED_PERSON && (
          <>
            <IconButton label={`Erase ${link.name}`} icon={<UserX />} onClick={() => setErasing(true)} />
            <EraseGuestDialog kind="review" link={link} open={isErasing} onOpenChange={setErasing} />
          </>
        )}
      </div>
    </li>
  )
}

function Decisions({ id }: { id: string }) {
  const { data, error, refetch } = useQuery<ResponseTo<'GET /api/review-links/{review_link_id}/decisions'>, ApiProblem>(
    {
      queryKey: ['guest-decisions', id],
      queryFn: () =>
        api('GET /api/review-links/{review_link_id}/decisions', {
          params: { review_link_id: id },
          query: { limit: 200 },
        }),
      staleTime: 0,
    },
  )
  if (error)
    return (
      <ErrorState title="The decisions could not be loaded" requestId={error.requestId} onRetry={() => refetch()}>
        {error.detail}
      </ErrorState>
    )
  if (!data) return <Skeleton className="h-24" />
  return (
    <ul className="divide-y divide-line">
      {data.decisions.map((one) => (
        <li key={one.id} className="flex flex-col gap-1 py-3">
          <div className="flex items-start justify-between gap-3">
            <p className="text-sm font-medium wrap-anywhere">{one.file.name}</p>
            <StatusBadge tone={one.decision === 'approved' ? 'pass' : 'fail'}>
              {LABELS.reviewDecision[one.decision]}
            </StatusBadge>
          </div>
          {one.comment && <p className="text-sm wrap-anywhere whitespace-pre-wrap">{one.comment}</p>}
          <p className="text-xs text-ink-subtle">
            Version {one.file_version}
            {!one.is_current && ', replaced since'} · <RelativeTime value={one.decided_at} /> · SHA-256{' '}
            <code className="font-mono">{one.sha256.slice(0, 12)}…</code>
          </p>
        </li>
      ))}
    </ul>
  )
}
