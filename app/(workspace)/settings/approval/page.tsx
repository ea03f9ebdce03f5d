import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { WorkflowForm } from '@/components/settings/workflow-form'
import { PageHeader } from '@/components/ui/page-header'
import { getApprovalWorkflow } from '@/lib/domain/cost-estimates/workflow'
import { listUsers } from '@/lib/domain/directory/queries'
import { load, requirePermission } from '@/lib/http/load'
import { saveWorkflow } from './actions'

export const metadata: Metadata = { title: 'Approval of estimates' }

export default async function ApprovalPage() {
  await requirePermission('settings.manage')
  const [workflow, { users }] = await Promise.all([load(getApprovalWorkflow), load(listUsers)])
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Approval' }]} width="narrow">
      <PageHeader
        title="Approval of estimates"
        description="Who approves a cost estimate inside, in this order, before the client sees it. Amounts are in EUR; an estimate in another currency takes every step. Estimates under way keep the steps they were submitted with."
      />
      <WorkflowForm workflow={workflow} people={users} save={saveWorkflow} />
    </Page>
  )
}
