import { AnchorButton } from '@/components/ui/link-button'
import { ownPath } from '@/lib/client/own-path'
import type { File } from '@/lib/domain/files/schema'
import { LABELS } from '@/lib/vocabulary'
import { Decision } from './decision'
import { Thumbnail } from './thumbnail'

/** Other versions of a file, each with what was decided of it and why. */
export function VersionList({ versions, title }: { versions: readonly File[]; title: string }) {
  return (
    <section>
      <h3 className="mb-2 text-base font-semibold">{title}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {versions.map((version) => (
          <li key={version.id} className="flex items-center gap-3 py-2 text-sm">
            <Thumbnail file={version} className="h-10 w-14" />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-2">
                Version {version.version} <Decision decision={version.review.decision} />
              </span>
              {version.review.reason && (
                <span className="block text-xs font-medium">{LABELS.rejectionReason[version.review.reason]}</span>
              )}
              {version.review.comment && (
                <span className="block text-xs text-ink-muted wrap-anywhere">{version.review.comment}</span>
              )}
            </span>
            {version.removed ? (
              <span className="text-xs text-ink-subtle">Removed</span>
            ) : (
              <AnchorButton href={ownPath(version.download_url)} download size="sm" variant="ghost">
                Download
              </AnchorButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
