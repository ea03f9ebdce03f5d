import type { Metadata } from 'next'
import { EstimateEditor } from '@/components/cost-estimates/estimate-editor'
import { Page } from '@/components/layout/page'
import { PageHeader } from '@/components/ui/page-header'
import { getEstimate } from '@/lib/domain/cost-estimates/queries'
import { entityTag } from '@/lib/http/etag'
import { loadIfThere, requirePermission } from '@/lib/http/load'

type Props = { params: Promise<{ estimate_id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const estimate = await loadIfThere(getEstimate, await params)
  return { title: `Edit ${estimate?.number ?? 'estimate'}` }
}

/** Where the estimate is gone, the editor says so: it may be open with something typed in it. */
export default async function EditEstimatePage({ params }: Props) {
  await requirePermission('estimates.manage')
  const estimate = await loadIfThere(getEstimate, await params)
  const number = estimate?.number ?? 'estimate'
  const back = estimate
    ? { href: `/cost-estimates/${estimate.id}`, label: estimate.number }
    : { href: '/cost-estimates', label: 'Cost estimates' }
  return (
    <Page
      crumbs={[{ label: 'Cost estimates', href: '/cost-estimates' }, ...(estimate ? [back] : []), { label: 'Edit' }]}
    >
      <PageHeader title={`Edit ${number}`} back={back} />
      <EstimateEditor estimate={estimate} etag={estimate && entityTag(estimate)} />
    </Page>
  )
}
