import type { Metadata } from 'next'
import { DeleteTargetButton, EditTargetDialog, TargetTest } from '@/components/deliveries/target-dialogs'
import { placeOf } from '@/components/deliveries/target-words'
import { Page } from '@/components/layout/page'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { PageHeader } from '@/components/ui/page-header'
import { DateTime } from '@/components/ui/relative-time'
import { getDeliveryTarget } from '@/lib/domain/deliveries/targets'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'
import { LABELS } from '@/lib/vocabulary'

export const metadata: Metadata = { title: 'Delivery target' }

export default async function DeliveryTargetPage({ params }: { params: Promise<{ delivery_target_id: string }> }) {
  await requirePermission('settings.manage')
  const target = await load(getDeliveryTarget, await params)
  const { connection } = target
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Delivery targets', href: '/settings/delivery-targets' },
        { label: target.name },
      ]}
    >
      <PageHeader
        title={target.name}
        description={<span className="wrap-anywhere">{placeOf(target)}</span>}
        actions={<EditTargetDialog target={target} etag={entityTag(target)} />}
      />
      <Card>
        <CardHeader title="Test" />
        <CardBody className="flex flex-col gap-3">
          {target.last_test && (
            <p className="text-sm text-ink-muted">
              Last tested <DateTime value={target.last_test.at} />
            </p>
          )}
          <TargetTest target={target} />
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="What is sent, and how" actions={<DeleteTargetButton target={target} />} />
        <CardBody>
          <DescriptionList
            items={[
              { label: 'Way', value: LABELS.targetKind[connection.kind] },
              {
                label: 'Naming template',
                value: <code className="font-mono text-xs wrap-anywhere">{target.naming_template}</code>,
              },
              { label: 'Verified by', value: LABELS.verification[target.verification] },
              {
                label: 'Secrets',
                value: target.secrets_set.length > 0 ? 'Stored sealed, and never shown' : 'None',
              },
              ...(connection.kind === 'sftp'
                ? [
                    {
                      label: 'Trusted key',
                      value: target.host_key ? (
                        <code className="font-mono text-xs wrap-anywhere">{target.host_key}</code>
                      ) : (
                        'None yet: test the target, and compare the key'
                      ),
                    },
                  ]
                : []),
              { label: 'Added by', value: target.created_by.name },
            ]}
          />
        </CardBody>
      </Card>
    </Page>
  )
}
