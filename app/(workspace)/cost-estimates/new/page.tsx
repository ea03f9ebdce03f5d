import type { Metadata } from 'next'
import { EstimateEditor } from '@/components/cost-estimates/estimate-editor'
import { Page } from '@/components/layout/page'
import { PageHeader } from '@/components/ui/page-header'
import { listProjects } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { load, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'New estimate' }

type Props = { searchParams: Promise<{ project_id?: string }> }

export default async function NewEstimatePage({ searchParams }: Props) {
  await requirePermission('estimates.manage')
  const [{ project_id }, { projects }] = await Promise.all([searchParams, load(listProjects)])
  const open = projects.filter(({ status }) => !isClosed(status))
  return (
    <Page crumbs={[{ label: 'Cost estimates', href: '/cost-estimates' }, { label: 'New estimate' }]}>
      <PageHeader title="New estimate" back={{ href: '/cost-estimates', label: 'Cost estimates' }} />
      <EstimateEditor projects={open} projectId={open.find(({ id }) => id === project_id)?.id} />
    </Page>
  )
}
