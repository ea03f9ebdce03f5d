import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { ClosedLink, DeadLink } from '@/components/public/dead-link'
import { isOpen } from '@/components/public/link-state'
import { NamingRule } from '@/components/public/naming-rule'
import { PasswordForm } from '@/components/public/password-form'
import { StoredReceipt } from '@/components/public/stored-receipt'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { UploadPanel } from '@/components/public/upload-panel'
import { describeMediaType } from '@/lib/domain/files/media-types'
import { getPublicUploadLink } from '@/lib/domain/upload-links/public'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'
import { env } from '@/lib/env'
import { formatBytes } from '@/lib/format'
import { loadWithin, TooSoon } from '@/lib/http/load'

type Props = { params: Promise<{ token: string }> }

// The address is the right to upload: no other site and no search engine gets it.
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
        <StoredReceipt token={token} />
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
  return (
    <PublicFrame
      sender={`For ${link.agency.name}`}
      footer={<>Questions? {link.contact.name} sent you this link and will know.</>}
    >
      <PublicTitle eyebrow={`${link.contact.name} asks for files`} title={titleOf(link)}>
        {link.note && <span className="whitespace-pre-wrap">{link.note}</span>}
      </PublicTitle>
      {isOpen(link) ? (
        <div className="flex flex-col gap-8">
          <UploadPanel token={token} link={link} takes={takesOf(link)} isDirect={env.UPLOADS === 'direct'} />
          <NamingRule link={link} />
        </div>
      ) : (
        <>
          <DeadLink link={link} />
          <StoredReceipt token={token} />
        </>
      )}
    </PublicFrame>
  )
}

const titleOf = (link: PublicUploadLink) =>
  link.batch.status === 'awaiting_resupply'
    ? `New versions for ${link.batch.name}`
    : link.label || `Files for ${link.batch.name}`

function takesOf({ limits: { media_types: types, max_file_size } }: PublicUploadLink) {
  const kinds =
    types.length === 0 ? 'Images, video, audio, PDF, HTML5 zips and fonts' : types.map(describeMediaType).join(', ')
  return `${kinds}, up to ${formatBytes(max_file_size)} each`
}
