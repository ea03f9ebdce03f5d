import type { Metadata } from 'next'
import { EstimatePanel } from '@/components/estimate-client/estimate-panel'
import { ClientFrame } from '@/components/estimate-client/frame'
import { Heading } from '@/components/estimate-client/heading'
import { PublicTitle } from '@/components/layout/public-frame'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { getClientEstimate } from '@/lib/domain/cost-estimates/client'
import { DomainError } from '@/lib/domain/kernel/errors'
import { loadWithin, TooSoon } from '@/lib/http/load'

// The address is the right to decide: no other site and no search engine gets it.
export const metadata: Metadata = {
  title: 'Estimate',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where a client reads an estimate and decides: a letter with a place to sign, not a piece of an admin screen. */
export default async function EstimatePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params
  const estimate = await loadWithin(getClientEstimate, { token }).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'invalid_state') return null
    throw error
  })
  if (estimate instanceof TooSoon) return <TooManyRequests seconds={estimate.seconds} />
  if (!estimate) {
    return (
      <ClientFrame>
        <PublicTitle title="This estimate is being revised">
          The new one will be here, at the same address, as soon as it is ready. Nothing is asked of you until then.
        </PublicTitle>
      </ClientFrame>
    )
  }
  return (
    <ClientFrame sender={estimate.sender}>
      <Heading estimate={estimate} pdf={`/api/public/cost-estimates/${token}/pdf`} />
      <EstimatePanel estimate={estimate} token={token} now={Date.now()} />
    </ClientFrame>
  )
}
