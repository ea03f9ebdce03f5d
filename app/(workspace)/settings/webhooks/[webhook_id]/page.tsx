import type { Metadata } from 'next'
import { Page } from '@/components/layout/page'
import { DeliveryLog } from '@/components/settings/delivery-log'
import {
  DeleteWebhookButton,
  EditWebhookDialog,
  RotateSecretDialog,
  WebhookActions,
} from '@/components/settings/webhook-dialogs'
import { StatusText } from '@/components/ui/badge'
import { Callout } from '@/components/ui/callout'
import { Card, CardBody, CardHeader } from '@/components/ui/card'
import { DescriptionList } from '@/components/ui/description-list'
import { FilterBar } from '@/components/ui/filter-bar'
import { PageHeader } from '@/components/ui/page-header'
import { PageLinks } from '@/components/ui/pagination'
import { DateTime } from '@/components/ui/relative-time'
import { getWebhook, listWebhookDeliveries } from '@/lib/domain/webhooks/queries'
import { entityTag } from '@/lib/http/etag'
import { load, requirePermission } from '@/lib/http/load'
import { DELIVERY_STATUSES, eventLabel, LABELS } from '@/lib/vocabulary'

const PAGE_SIZE = 50

export const metadata: Metadata = { title: 'Webhook' }

export default async function WebhookPage({
  params,
  searchParams,
}: {
  params: Promise<{ webhook_id: string }>
  searchParams: Promise<{ status?: string; cursor?: string }>
}) {
  await requirePermission('settings.manage')
  const path = await params
  const { status, cursor } = await searchParams
  const [webhook, { deliveries, next_cursor }] = await Promise.all([
    load(getWebhook, path),
    load(listWebhookDeliveries, path, {
      limit: String(PAGE_SIZE),
      ...(status && { status }),
      ...(cursor && { cursor }),
    }),
  ])
  const hrefOf = (more: Record<string, string>) => `?${new URLSearchParams({ ...(status && { status }), ...more })}`
  const isActive = webhook.status === 'active'
  return (
    <Page
      crumbs={[
        { label: 'Settings' },
        { label: 'Webhooks', href: '/settings/webhooks' },
        { label: new URL(webhook.url).host },
      ]}
    >
      <PageHeader
        title={webhook.description || new URL(webhook.url).host}
        description={<span className="wrap-anywhere">{webhook.url}</span>}
        actions={
          <>
            <EditWebhookDialog webhook={webhook} etag={entityTag(webhook)} />
            <WebhookActions webhook={webhook} />
          </>
        }
      />
      {!isActive && (
        <Callout tone="warn" title="This webhook is disabled">
          {webhook.disabled_reason} Nothing is sent until it is enabled; what happened meanwhile is not sent afterwards.
        </Callout>
      )}
      {isActive && webhook.failing_since && (
        <Callout tone="warn" title="Nothing gets through">
          Since <DateTime value={webhook.failing_since} />. After five days the webhook is disabled and administrators
          are notified.
        </Callout>
      )}
      <Card>
        <CardHeader
          title="What it is notified of, and how"
          actions={
            <>
              <DeleteWebhookButton webhook={webhook} />
              <RotateSecretDialog webhook={webhook} />
            </>
          }
        />
        <CardBody>
          <DescriptionList
            items={[
              {
                label: 'State',
                value: (
                  <StatusText tone={isActive ? 'pass' : 'neutral'}>{LABELS.webhookStatus[webhook.status]}</StatusText>
                ),
              },
              {
                label: 'Events',
                value:
                  webhook.event_types.length === 0 ? 'Every event' : webhook.event_types.map(eventLabel).join(', '),
              },
              {
                label: 'Secret',
                value: webhook.previous_secret_until ? (
                  <>
                    Rotated; the one before signs as well until <DateTime value={webhook.previous_secret_until} />
                  </>
                ) : (
                  'Shown once, when it was made'
                ),
              },
              { label: 'Added by', value: webhook.created_by.name },
            ]}
          />
        </CardBody>
      </Card>
      <FilterBar
        filters={[
          {
            param: 'status',
            label: 'State',
            options: DELIVERY_STATUSES.map((value) => ({ value, label: LABELS.deliveryStatus[value] })),
          },
        ]}
        noun={['delivery', 'deliveries']}
        shown={cursor || next_cursor ? undefined : deliveries.length}
      />
      <DeliveryLog deliveries={deliveries} isActive={isActive} />
      <PageLinks newerHref={cursor ? hrefOf({}) : null} olderHref={next_cursor && hrefOf({ cursor: next_cursor })} />
    </Page>
  )
}
