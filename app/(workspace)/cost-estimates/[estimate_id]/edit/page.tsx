import type { Metadata } from 'next'
import { EstimateEditor } from '@/components/cost-estimates/estimate-editor'
import { Page } from '@/components/layout/page'
import { PageHeader } from '@/components/ui/page-header'
import { getEstimate } from '@/lib/domain/cost-estimates/queries'
import { entityTag } from '@/lib/domain/kernel/operation'
import { load, requirePermission } from '@/lib/http/load'

type Props = { params: Promise<{ estimate_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const estimate = await load(getEstimate, await params)
  return { title: `Edit ${estimate.number}` }
}

export default async function EditEstimatePage({ params }: Props) {
  await requirePermission('estimates.manage')
  const estimate = await load(getEstimate, await params)
  return (
    <Page
      crumbs={[
        { label: 'Cost estimates', href: '/cost-estimates' },
        { label: estimate.number, href: `/cost-estimates/${estimate.id}` },
        { label: 'Edit' },
      ]}
    >
      <PageHeader
        title={`Edit ${estimate.number}`}
        back={{ href: `/cost-estimates/${estimate.id}`, label: estimate.number }}
      />
      <EstimateEditor estimate={estimate} etag={entityTag(estimate)} />
    </Page>
  )
}
