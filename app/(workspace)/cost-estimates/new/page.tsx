import type { Metadata } from 'next'
import { EstimateEditor } from '@/components/cost-estimates/estimate-editor'
import { Page } from '@/components/layout/page'
import { PageHeader } from '@/components/ui/page-header'
import { getProject } from '@/lib/domain/projects/queries'
import { isClosed } from '@/lib/domain/projects/rules'
import { loadIfThere, requirePermission } from '@/lib/http/load'

export const metadata: Metadata = { title: 'New estimate' }

type Props = { searchParams: Promise<{ project_id?: string }> }

export default async function NewEstimatePage({ searchParams }: Props) {
  await requirePermission('estimates.manage')
  const { project_id } = await searchParams
  const project = project_id ? await loadIfThere(getProject, { project_id }) : null
  return (
    <Page crumbs={[{ label: 'Cost estimates', href: '/cost-estimates' }, { label: 'New estimate' }]}>
      <PageHeader title="New estimate" back={{ href: '/cost-estimates', label: 'Cost estimates' }} />
      <EstimateEditor project={project && !isClosed(project.status) ? { id: project.id, name: project.name } : null} />
    </Page>
  )
}
