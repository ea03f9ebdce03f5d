import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { VerifyPanel } from '@/components/verify/verify-panel'

export const metadata: Metadata = { title: 'Is this the approved file?' }

export default function VerifyPage() {
  return (
    <PublicFrame>
      <PublicTitle eyebrow="For the public" title="Is this the approved file?">
        An approval holds for bytes, not for names. Drop a file to see whether it is, bit for bit, one that was
        approved.
      </PublicTitle>
      <VerifyPanel />
    </PublicFrame>
  )
}
