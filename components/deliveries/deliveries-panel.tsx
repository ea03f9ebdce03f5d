import { LinkButton } from '@/components/ui/link-button'
import { Section } from '@/components/ui/page-header'
import { RelativeTime } from '@/components/ui/relative-time'
import type { Delivery } from '@/lib/domain/deliveries/schema'
import { DeliveryBadge } from './delivery-state'

/** The newest deliveries of a batch, beside its files. */
export function DeliveriesPanel({
  path: { project_id, batch_id },
  deliveries,
}: {
  path: { project_id: string; batch_id: string }
  deliveries: readonly Delivery[]
}) {
  return (
    <Section
      title="Deliveries"
      actions={
        <LinkButton size="sm" href={`/projects/${project_id}/batches/${batch_id}/deliveries`}>
          {deliveries.length > 0 ? 'All deliveries' : 'Deliver files'}
        </LinkButton>
      }
    >
      {deliveries.length === 0 ? (
        <p className="text-sm text-ink-muted">Nothing was delivered yet.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-xs">
          {deliveries.map((delivery) => (
            <li key={delivery.id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2.5 text-sm">
              <span className="flex min-w-0 flex-col">
                <span className="font-medium wrap-anywhere">{delivery.target.name}</span>
                <span className="text-xs text-ink-muted">
                  {delivery.counts.delivered} of {delivery.counts.files} files,{' '}
                  <RelativeTime value={delivery.created_at} />
                </span>
              </span>
              <DeliveryBadge delivery={delivery} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
