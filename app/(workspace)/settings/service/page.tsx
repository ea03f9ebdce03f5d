import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { PreQcSwitch } from '@/components/settings/pre-qc-switch'
import { Card } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { getServiceSettings } from '@/lib/domain/settings/queries'
import { load, requirePermission } from '@/lib/http/load'
import { switchPreQc } from './actions'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  await requirePermission('settings.manage')
  const settings = await load(getServiceSettings)
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Service' }]} width="narrow">
      <PageHeader title="Service" description="What holds for everybody." />
      <Card className="p-5">
        <PreQcSwitch isEnabled={settings.pre_qc_enabled} change={switchPreQc} />
      </Card>
    </Page>
  )
}
