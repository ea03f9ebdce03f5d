import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { PasswordForm } from '@/components/public/password-form'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { SharedFiles } from '@/components/share-links/shared-files'
import { Callout } from '@/components/ui/callout'
import { getShare, listSharedFiles } from '@/lib/domain/share-links/public'
import { loadWithin, readFrom, TooSoon } from '@/lib/http/load'

// The address is the right to the files: no other site and no search engine gets it.
export const metadata: Metadata = {
  title: 'Shared files',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where a receiver views and downloads approved files, without an account. */
export default async function SharePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const since = await readFrom()
  const share = await loadWithin(getShare, { token })
  if (share instanceof TooSoon) return <TooManyRequests seconds={share.seconds} />
  if (share.status !== 'active') {
    return (
      <PublicFrame>
        <PublicTitle title="These files are not shared any more" />
        <Callout
          tone="neutral"
          title={share.status === 'expired' ? 'The link has expired' : 'The link was switched off'}
        >
          What you downloaded is yours to keep. Ask the sender of the link for a new one if you still need the files.
        </Callout>
      </PublicFrame>
    )
  }
  if (share.password_required) {
    return (
      <PublicFrame>
        <PublicTitle title="Shared files">This link is protected by a password.</PublicTitle>
        <PasswordForm token={token} call="POST /api/public/share-links/{token}/unlock" />
      </PublicFrame>
    )
  }
  const first = await loadWithin(listSharedFiles, { token })
  if (first instanceof TooSoon) return <TooManyRequests seconds={first.seconds} />
  return (
    <PublicFrame
      sender={`For ${share.name}`}
      footer={<>This address is yours alone. Openings and downloads are recorded for the link of {share.name}.</>}
    >
      <SharedFiles token={token} share={share} first={first} readFrom={since} />
    </PublicFrame>
  )
}
