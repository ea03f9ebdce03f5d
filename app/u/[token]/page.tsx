import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { ClosedLink, DeadLink } from '@/components/public/dead-link'
import { NamingRule } from '@/components/public/naming-rule'
import { PasswordForm } from '@/components/public/password-form'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { UploadDesk } from '@/components/public/upload-desk'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { formatBytes, formatCount } from '@/lib/client/format'
import { describeMediaType } from '@/lib/domain/files/media-types'
import { getPublicUploadLink } from '@/lib/domain/upload-links/public'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'
import { loadWithin, TooSoon } from '@/lib/http/load'

type Props = { params: Promise<{ token: string }> }

// The address is the right to upload: it is told to no other site and to no search engine.
export const metadata: Metadata = {
  title: 'Upload files',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where an agency delivers: a letter that says who asks for what, with a place for the files. */
export default async function UploadPage({ params }: Props) {
  const { token } = await params
  const link = await loadWithin(getPublicUploadLink, { token })
  if (link instanceof TooSoon) return <TooManyRequests seconds={link.seconds} />
  if (!('password_required' in link)) {
    return (
      <PublicFrame>
        <PublicTitle title={link.label || 'Upload files'} />
        <ClosedLink link={link} />
      </PublicFrame>
    )
  }
  if (link.password_required) {
    return (
      <PublicFrame>
        <PublicTitle title={link.label || 'Upload files'}>This link is protected by a password.</PublicTitle>
        <PasswordForm token={token} />
      </PublicFrame>
    )
  }
  const isOpen =
    link.project.status === 'active' && (link.batch.status === 'open' || link.batch.status === 'awaiting_resupply')
  return (
    <PublicFrame
      sender={`For ${link.agency.name}`}
      footer={<>Questions? {link.contact.name} sent you this link and will know.</>}
    >
      <PublicTitle eyebrow={`${link.contact.name} asks for files`} title={titleOf(link)}>
        {link.note && <span className="whitespace-pre-wrap">{link.note}</span>}
      </PublicTitle>
      {isOpen ? (
        <div className="flex flex-col gap-8">
          <Terms link={link} />
          <UploadDesk token={token} link={link} />
          <NamingRule link={link} />
        </div>
      ) : (
        <DeadLink link={link} />
      )}
    </PublicFrame>
  )
}

const titleOf = (link: PublicUploadLink) =>
  link.batch.status === 'awaiting_resupply'
    ? `New versions for ${link.batch.name}`
    : link.label || `Files for ${link.batch.name}`

/** The terms in one glance: what for, until when, how often, how large. */
function Terms({ link }: { link: PublicUploadLink }) {
  const types = link.limits.media_types
  const items = [
    { label: 'For', value: `${link.project.name}, ${link.batch.name}` },
    {
      label: 'Until',
      value: link.expires_at ? (
        <>
          <DateTime value={link.expires_at} /> (<RelativeTime value={link.expires_at} />)
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
          : link.status === 'used_up'
            ? 'This visit is the last one; add as many files as you need'
            : `${formatCount(link.uses_left, 'visit')}; all files of one visit count once`,
    },
    {
      label: 'Takes',
      value: `${types.length === 0 ? 'Images, video, audio, PDF, HTML5 zips and fonts' : types.map(describeMediaType).join(', ')}, up to ${formatBytes(link.limits.max_file_size)} each`,
    },
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
