import { DateTime, PlainRelativeTime } from '@/components/ui/plain-time'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'
import { formatCount } from '@/lib/format'

/** The terms in brief: what for, until when, how often, how large. */
export function Terms({ link, takes }: { link: PublicUploadLink; takes: string }) {
  const items = [
    { label: 'For', value: `${link.project.name}, ${link.batch.name}` },
    {
      label: 'Until',
      value: link.expires_at ? (
        <>
          <DateTime value={link.expires_at} /> (<PlainRelativeTime value={link.expires_at} />)
        </>
      ) : (
        'No end date'
      ),
    },
    {
      label: 'Uses left',
      value:
        link.uses_left === null
          ? 'As often as you need'
          : `${formatCount(link.uses_left, 'visit')}; all files of one visit count once`,
    },
    { label: 'Takes', value: takes },
  ]
  return (
    <dl className="grid gap-x-8 gap-y-3 border-y border-line py-5 sm:grid-cols-2">
      {items.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-xs font-medium text-ink-subtle">{label}</dt>
          <dd className="text-base wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
