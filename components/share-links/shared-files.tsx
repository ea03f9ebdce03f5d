'use client'

import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { Download, FileX } from 'lucide-react'
import { useState } from 'react'
import { PublicTitle } from '@/components/layout/public-frame'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { AnchorButton } from '@/components/ui/link-button'
import { DateTime } from '@/components/ui/relative-time'
import { type ApiProblem, api } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import { useLinkLive } from '@/lib/client/use-link-live'
import type { OpenShare, SharedFile } from '@/lib/domain/share-links/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { SharedCard } from './shared-card'
import { isViewable, SharedPreview } from './shared-preview'

const sharedKey = (token: string) => ['shared-files', token]

type FilePage = { files: SharedFile[]; next_cursor: string | null }

/** All that a share link offers: what it is, one button for all of it, then each file with its preview. */
export function SharedFiles({
  token,
  share,
  first,
  readFrom,
}: {
  token: string
  share: OpenShare
  first: FilePage
  /** What the database held when the page was read. */
  readFrom: string
}) {
  useLinkLive(`/api/public/share-links/${encodeURIComponent(token)}/live`, sharedKey(token), readFrom)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery<
    FilePage,
    ApiProblem,
    InfiniteData<FilePage, string | null>,
    string[],
    string | null
  >({
    queryKey: sharedKey(token),
    queryFn: ({ pageParam }) =>
      api('GET /api/public/share-links/{token}/files', {
        params: { token },
        query: { ...(pageParam && { cursor: pageParam }) },
      }),
    initialPageParam: null,
    initialData: { pages: [first], pageParams: [null] },
    getNextPageParam: ({ next_cursor }) => next_cursor,
    retry: false,
  })
  const files = data.pages.flatMap((page) => page.files)
  const viewable = files.filter(isViewable)
  const [viewed, setViewed] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  function view(id: string | null) {
    setViewed(id)
    setOpen(true)
  }
  const withheld = share.counts.files - share.counts.offered
  return (
    <>
      <PublicTitle eyebrow={`${share.contact.name} shares files with you`} title={share.batch.name}>
        {share.note && <span className="whitespace-pre-wrap">{share.note}</span>}
      </PublicTitle>
      {share.counts.offered > 0 && <Offer share={share} />}
      {withheld > 0 && share.counts.offered > 0 && (
        <Callout
          tone="warn"
          className="mb-6"
          title={`${formatCount(withheld, 'file')} of ${share.counts.files} ${withheld === 1 ? 'is' : 'are'} not offered any more`}
        >
          The list says why. Do not use a copy that you downloaded before; ask {share.contact.name}.
        </Callout>
      )}
      {share.counts.offered === 0 && (
        <EmptyState className="mb-6" icon={<FileX />} title="None of these files is offered any more">
          Their approval was withdrawn, or they are not kept any more. Ask {share.contact.name} for new ones.
        </EmptyState>
      )}
      <ul aria-label="Files" className="grid gap-4 sm:grid-cols-2">
        {files.map((file, index) => (
          <li key={file.id ?? `${index} ${file.sha256}`} className="flex">
            <SharedCard file={file} onView={() => view(file.id)} />
          </li>
        ))}
      </ul>
      {error && (
        <ErrorState title="More files could not be loaded" requestId={error.requestId} onRetry={() => refetch()}>
          {error.detail}
        </ErrorState>
      )}
      {hasNextPage && (
        <div className="mt-6 flex justify-center">
          <Button onClick={() => fetchNextPage()} loading={isFetchingNextPage}>
            Show more files
          </Button>
        </div>
      )}
      <SharedPreview files={viewable} viewed={viewed} isOpen={isOpen} onView={view} onClose={() => setOpen(false)} />
    </>
  )
}

function Offer({ share: { counts, archive_url, may_download, has_certificate, expires_at } }: { share: OpenShare }) {
  return (
    <div className="mb-6 flex flex-col gap-4 border-y border-line py-5 sm:flex-row sm:items-center sm:justify-between">
      <div className="min-w-0 text-sm text-ink-muted">
        <p className="text-base font-medium text-ink tabular-nums">
          {formatCount(counts.offered, 'file')}, {formatBytes(counts.size)}
        </p>
        <p>
          {may_download
            ? `The ZIP holds the files${has_certificate ? ', a manifest with their hashes, and the certificate of approval' : ' and a manifest with their hashes'}. A download that breaks off can be resumed.`
            : 'To view only: this link does not let the files be downloaded.'}
        </p>
        {expires_at && (
          <p>
            Shared until <DateTime value={expires_at} />
          </p>
        )}
      </div>
      {archive_url && (
        <AnchorButton
          variant="primary"
          size="lg"
          href={ownPath(archive_url)}
          download
          className="shrink-0 max-sm:w-full"
        >
          <Download aria-hidden="true" />
          Download all
        </AnchorButton>
      )}
    </div>
  )
}
