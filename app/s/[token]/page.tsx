import { ChartNoAxesColumn, CircleCheck } from 'lucide-react'
import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import { TooManyRequests } from '@/components/public/too-many-requests'
import { FailingChecks } from '@/components/scorecards/failing-checks'
import { ScorecardMetrics } from '@/components/scorecards/scorecard-metrics'
import { ScorecardWeeks } from '@/components/scorecards/scorecard-weeks'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { DateTime } from '@/components/ui/relative-time'
import { DomainError } from '@/lib/domain/kernel/errors'
import { getScorecard } from '@/lib/domain/scorecards/card'
import { formatDate } from '@/lib/format'
import { loadWithin, TooSoon } from '@/lib/http/load'

// The address is the right to read: no other site and no search engine gets it.
export const metadata: Metadata = {
  title: 'Scorecard',
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
}

/** Where an agency sees how its deliveries go, without an account and without another agency's metrics. */
export default async function ScorecardPage({ params }: { params: Promise<{ token: string }> }) {
  const card = await loadWithin(getScorecard, await params).catch((error: unknown) => {
    if (error instanceof DomainError && error.code in CLOSED) return error.code as keyof typeof CLOSED
    throw error
  })
  if (card instanceof TooSoon) return <TooManyRequests seconds={card.seconds} />
  if (typeof card === 'string') {
    return (
      <PublicFrame>
        <PublicTitle title={CLOSED[card]}>Ask its sender for a new one.</PublicTitle>
      </PublicFrame>
    )
  }
  return (
    <PublicFrame
      sender={`For ${card.agency.name}`}
      footer={
        card.expires_at ? (
          <>
            This page can be read until <DateTime value={card.expires_at} />.
          </>
        ) : undefined
      }
    >
      <PublicTitle
        eyebrow={`${formatDate(card.from)} to ${formatDate(card.to)}`}
        title={`Scorecard of ${card.agency.name}`}
      >
        How your files did at their first check, and what would help most.
      </PublicTitle>
      {card.files_checked === 0 ? (
        <EmptyState icon={<ChartNoAxesColumn />} title="No file was checked in these weeks">
          Your metrics appear here as soon as a delivery of yours has been checked.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-6">
          <ScorecardMetrics card={card} />
          <Card>
            <CardHeader title="Week by week" description="Share of files whose very first check was no fail" />
            <CardBody>
              <ScorecardWeeks weeks={card.weeks} median={card.others_median} />
            </CardBody>
          </Card>
          <Card>
            <CardHeader
              title="What would help most"
              description="Checks your files failed the first time, the most frequent first, each with a way to fix it"
            />
            <CardBody>
              {card.top_failing_checks.length === 0 ? (
                <p className="flex items-center gap-2 text-sm text-ink-muted">
                  <CircleCheck aria-hidden="true" className="size-4 text-pass-ink" />
                  Nothing failed in these weeks.
                </p>
              ) : (
                <FailingChecks checks={card.top_failing_checks} files={card.files_checked} />
              )}
            </CardBody>
          </Card>
        </div>
      )}
    </PublicFrame>
  )
}

const CLOSED = {
  link_expired: 'This scorecard link has expired',
  link_deactivated: 'This scorecard link was withdrawn',
}
