import type { Metadata } from 'next'
import { EstimateActions } from '@/components/cost-estimates/estimate-actions'
import { EstimateSheet } from '@/components/cost-estimates/estimate-sheet'
import { Revisions } from '@/components/cost-estimates/revisions'
import { EstimateStatusBadge } from '@/components/cost-estimates/status'
import { Timeline } from '@/components/cost-estimates/timeline'
import { Page } from '@/components/layout/page'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { CopyButton } from '@/components/ui/copy-button'
import { PageHeader } from '@/components/ui/page-header'
import { getEstimateRoute } from '@/lib/domain/cost-estimates/approvers'
import { getEstimate, getEstimatePowers, listEstimateRevisions } from '@/lib/domain/cost-estimates/queries'
import { isPossible, isShownToClient } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { formatCount, formatDate } from '@/lib/format'
import { entityTag } from '@/lib/http/etag'
import { load, mayI } from '@/lib/http/load'
import { REPLACEMENT, unprintable } from '@/lib/pdf/coverage'

type Props = { params: Promise<{ estimate_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const estimate = await load(getEstimate, await params)
  return { title: `${estimate.number} ${estimate.title}` }
}

export default async function EstimatePage({ params }: Props) {
  const where = await params
  const [estimate, powers, { revisions }, maySetApproval, mayErase] = await Promise.all([
    load(getEstimate, where),
    load(getEstimatePowers, where),
    load(listEstimateRevisions, where),
    mayI('settings.manage'),
    mayI('users.manage'),
  ])
  const isReady = powers.mayManage && isPossible('submit', estimate.status)
  const { steps } = isReady ? await load(getEstimateRoute, where) : { steps: [] }
  return (
    <Page crumbs={[{ label: 'Cost estimates', href: '/cost-estimates' }, { label: estimate.number }]}>
      <PageHeader
        title={estimate.title}
        badge={<EstimateStatusBadge status={estimate.status} />}
        meta={[
          estimate.number,
          estimate.revision > 1 && `Revision ${estimate.revision}`,
          estimate.project.name,
          estimate.valid_until && `Valid until ${formatDate(estimate.valid_until)}`,
        ]}
        back={{ href: '/cost-estimates', label: 'Cost estimates' }}
        actions={
          <EstimateActions
            estimate={estimate}
            etag={entityTag(estimate)}
            powers={{ ...powers, maySetApproval, mayErase }}
            route={steps}
          />
        }
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <PrintWarning missing={unprintable(JSON.stringify(estimate))} />
          <EstimateSheet estimate={estimate} />
          {estimate.notes && (
            <Card>
              <CardHeader title="Notes" />
              <CardBody className="pt-2 text-sm whitespace-pre-line wrap-anywhere">{estimate.notes}</CardBody>
            </Card>
          )}
          {revisions.length > 1 && <Revisions revisions={revisions} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6 self-start">
          {estimate.client_url && <ClientLink estimate={estimate} url={estimate.client_url} />}
          <Card>
            <CardHeader title="Approval" />
            <Timeline estimate={estimate} />
          </Card>
        </div>
      </div>
    </Page>
  )
}

/** Said before a user exports a PDF in which a replacement stands for what was typed. */
function PrintWarning({ missing }: { missing: string[] }) {
  if (missing.length === 0) return null
  const shown = missing.slice(0, 12).map((character) => `“${character}”`)
  return (
    <Callout tone="warn" title="The PDF cannot show every character">
      It has no typeface for {shown.join(', ')}
      {missing.length > shown.length && ` and ${formatCount(missing.length - shown.length, 'other')}`}, and shows{' '}
      {REPLACEMENT} in their place. The client’s page shows them as they are.
    </Callout>
  )
}

/** What the client finds at the link now. */
function aboutLink({ status, approval }: Estimate): string {
  if (status === 'awaiting_client_approval')
    return 'Send this link. The client sees the estimate and decides without an account.'
  if (!isShownToClient(status, approval?.steps ?? null))
    return 'The link says that the estimate is being revised, until the next revision is the client’s to decide.'
  return status === 'expired' ? 'The link says that the estimate has expired.' : 'The link shows what was decided.'
}

function ClientLink({ estimate, url }: { estimate: Estimate; url: string }) {
  return (
    <Card>
      <CardHeader title="For the client" description={aboutLink(estimate)} />
      <CardBody className="flex items-center gap-2 pt-2">
        <code className="min-w-0 flex-1 truncate rounded-md bg-sunken px-2 py-1.5 text-xs">{url}</code>
        <CopyButton text={url} label="Copy the link" />
      </CardBody>
    </Card>
  )
}
