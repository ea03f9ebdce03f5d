import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { formatCount } from '@/lib/format'

/** A page for people without an account that was asked for too often. `seconds`: until it may be asked for again. */
export function TooManyRequests({ seconds }: { seconds: number }) {
  return (
    <PublicFrame>
      <PublicTitle eyebrow="Too many requests" title={`Please wait ${formatCount(seconds, 'second')}`}>
        Too many addresses like this one were opened from your network within a minute. This says nothing about your
        link: wait, then open it again.
      </PublicTitle>
    </PublicFrame>
  )
}
