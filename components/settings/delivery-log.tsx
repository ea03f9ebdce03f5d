'use client'

import { useQuery } from '@tanstack/react-query'
import { RotateCw, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { StatusBadge, StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { CodeBlock } from '@/components/ui/code-block'
import { DataTable } from '@/components/ui/data-table'
import { Drawer } from '@/components/ui/drawer'
import { EmptyState } from '@/components/ui/empty-state'
import { DateTime, RelativeTime } from '@/components/ui/relative-time'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { api, apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { FullWebhookDelivery, WebhookDelivery } from '@/lib/domain/webhooks/schema'
import { eventLabel, LABELS } from '@/lib/vocabulary'

const TONES: Record<WebhookDelivery['status'], Tone> = { pending: 'busy', delivered: 'pass', failed: 'fail' }

type Attempt = FullWebhookDelivery['attempt_log'][number]

const outcomeOf = (attempt: Attempt) =>
  attempt.response_status === null ? 'No response' : `${attempt.response_status} in ${attempt.duration_ms} ms`

/** What was sent to an endpoint; a row opens to its payload and every attempt. */
export function DeliveryLog({ deliveries, isActive }: { deliveries: WebhookDelivery[]; isActive: boolean }) {
  const [opened, setOpened] = useState<WebhookDelivery | null>(null)
  return (
    <>
      <DataTable
        caption="Deliveries, newest first"
        rows={deliveries}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'type',
            header: 'Event',
            cell: (delivery) => (
              <button
                type="button"
                className="font-medium text-ink underline-offset-2 hover:underline"
                onClick={() => setOpened(delivery)}
              >
                {eventLabel(delivery.type)}
              </button>
            ),
          },
          {
            key: 'status',
            header: 'State',
            width: '8rem',
            cell: ({ status }) => <StatusBadge tone={TONES[status]}>{LABELS.deliveryStatus[status]}</StatusBadge>,
          },
          {
            key: 'response',
            header: 'Last response',
            width: '13rem',
            cell: ({ last_attempt }) =>
              last_attempt ? outcomeOf(last_attempt) : <span className="text-ink-subtle">Not tried yet</span>,
          },
          { key: 'attempts', header: 'Attempts', width: '6rem', align: 'end', cell: ({ attempts }) => attempts },
          {
            key: 'created',
            header: 'When',
            width: '9rem',
            cell: ({ created_at }) => <RelativeTime value={created_at} />,
          },
        ]}
        empty={
          <EmptyState icon={<Send />} title="Nothing was sent yet">
            Send a ping to see whether the receiver responds.
          </EmptyState>
        }
      />
      <Drawer
        open={opened !== null}
        onOpenChange={(open) => !open && setOpened(null)}
        title={opened ? eventLabel(opened.type) : ''}
        description={opened?.message_id}
        size="lg"
        footer={opened && <Resend delivery={opened} isActive={isActive} />}
      >
        {opened && <Delivery delivery={opened} />}
      </Drawer>
    </>
  )
}

const paramsOf = ({ id, webhook_id }: WebhookDelivery) => ({ webhook_id, delivery_id: id })
const keyOf = ({ id }: WebhookDelivery) => ['webhook-delivery', id]

function Resend({ delivery, isActive }: { delivery: WebhookDelivery; isActive: boolean }) {
  const resend = useApiMutation({
    request: () =>
      apiRequest('POST /api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend', {
        params: paramsOf(delivery),
        body: {},
      }),
    success: 'Sent again',
    invalidate: [keyOf(delivery)],
  })
  return (
    <Button onClick={() => resend.mutate()} loading={resend.isPending} disabled={!isActive}>
      <RotateCw />
      {isActive ? 'Send again' : 'Enable the webhook to send again'}
    </Button>
  )
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { data, error } = useQuery({
    queryKey: keyOf(delivery),
    queryFn: () => api('GET /api/webhooks/{webhook_id}/deliveries/{delivery_id}', { params: paramsOf(delivery) }),
    // While an attempt is to come, search for it.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : false),
  })
  if (error) return <Callout tone="fail">The delivery could not be read. Close this and open it again.</Callout>
  if (!data)
    return (
      <Loading label="the delivery" className="flex flex-col gap-3">
        <Skeleton className="w-2/3" />
        <Skeleton className="h-32" />
      </Loading>
    )
  return (
    <div className="flex flex-col gap-6">
      <Part title="Payload">
        <CodeBlock label="Payload" code={indented(data.payload)} />
      </Part>
      <Part title={data.attempts === 1 ? '1 attempt' : `${data.attempts} attempts`}>
        {data.next_attempt_at && (
          <p className="text-sm text-ink-muted">
            Next attempt <DateTime value={data.next_attempt_at} />
          </p>
        )}
        <ol className="flex flex-col gap-4">
          {data.attempt_log.map((attempt) => (
            <li key={attempt.number} className="flex flex-col gap-1.5">
              <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
                <StatusText tone={isSuccess(attempt) ? 'pass' : 'fail'}>{outcomeOf(attempt)}</StatusText>
                <span className="text-ink-subtle">
                  <DateTime value={attempt.at} />
                </span>
              </p>
              {attempt.error && <p className="text-sm text-ink-muted">{attempt.error}</p>}
              {attempt.response_body && (
                <CodeBlock label={`Response to attempt ${attempt.number}`} code={attempt.response_body} />
              )}
            </li>
          ))}
        </ol>
      </Part>
    </div>
  )
}

const isSuccess = ({ response_status: status }: Attempt) => status !== null && status >= 200 && status < 300

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-2">
    <h3 className="text-sm font-medium text-ink">{title}</h3>
    {children}
  </section>
)

/** Read more easily with line breaks; what is sent has none. */
const indented = (json: string) => JSON.stringify(JSON.parse(json), null, 2)
