import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { PasswordForm } from '@/components/public/password-form'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { GuestRoom } from '@/components/review-room/guest-room'
import { Callout } from '@/components/ui/callout'
import { getReviewRoom, listRoomFiles } from '@/lib/domain/review-links/public'
import { loadWithin, readFrom, TooSoon } from '@/lib/http/load'

// The address is the right to see and decide: no other site and no search engine gets it.
export const metadata: Metadata = {
  title: 'Review',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where a client, legal or a partner sees, comments on and decides files, without an account. */
export default async function ReviewPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const since = await readFrom()
  const room = await loadWithin(getReviewRoom, { token })
  if (room instanceof TooSoon) return <TooManyRequests seconds={room.seconds} />
  if (room.status !== 'active') {
    return (
      <PublicFrame>
        <PublicTitle title="This review has ended" />
        <Callout
          tone="neutral"
          title={room.status === 'expired' ? 'The link has expired' : 'The link was switched off'}
        >
          What you said and decided is kept. Ask the sender of the link if there is more to review.
        </Callout>
      </PublicFrame>
    )
  }
  if (room.password_required) {
    return (
      <PublicFrame>
        <PublicTitle title="Review">This link is protected by a password.</PublicTitle>
        <PasswordForm token={token} call="POST /api/public/review-links/{token}/unlock" />
      </PublicFrame>
    )
  }
  const first = await loadWithin(listRoomFiles, { token })
  if (first instanceof TooSoon) return <TooManyRequests seconds={first.seconds} />
  return (
    <PublicFrame
      sender={`For ${room.name}`}
      footer={<>This address is yours alone: what is said and decided here is recorded under your name, {room.name}.</>}
    >
      <GuestRoom token={token} room={room} first={first} readFrom={since} />
    </PublicFrame>
  )
}
