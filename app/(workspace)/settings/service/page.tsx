import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { PreQcSwitch } from '@/components/settings/pre-qc-switch'
import { SecondPersonSwitch } from '@/components/settings/second-person-switch'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { PageHeader } from '@/components/ui/page-header'
import { getServiceSettings } from '@/lib/domain/settings/queries'
import { load, requirePermission } from '@/lib/http/load'
import { requireSecondPerson, switchPreQc } from './actions'

export const metadata: Metadata = { title: 'Service' }

export default async function ServicePage() {
  await requirePermission('settings.manage')
  const settings = await load(getServiceSettings)
  return (
    <Page crumbs={[{ label: 'Settings' }, { label: 'Service' }]} width="narrow">
      <PageHeader title="Service" description="Settings for all users." />
      <Card>
        <CardHeader title="Pre-QC" description="Each media category can be switched off by itself, too." />
        <CardBody>
          <PreQcSwitch isEnabled={settings.pre_qc_enabled} change={switchPreQc} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Waivers" description="Findings that a reviewer accepted, with a reason." />
        <CardBody>
          <SecondPersonSwitch isRequired={settings.waivers_need_second} change={requireSecondPerson} />
        </CardBody>
      </Card>
    </Page>
  )
}
