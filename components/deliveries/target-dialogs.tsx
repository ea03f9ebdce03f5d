'use client'

import { Check, Plus, X } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { DeliveryTarget } from '@/lib/domain/deliveries/schema'
import { LABELS } from '@/lib/vocabulary'
import { bodyOf, NEW_TARGET, TargetFields, type TargetValues, valuesOf } from './target-fields'

export function NewTargetDialog() {
  const router = useRouter()
  return (
    <FormDialog
      title="New delivery target"
      description="A place approved files may be delivered to."
      trigger={
        <Button variant="primary">
          <Plus />
          New target
        </Button>
      }
      defaultValues={NEW_TARGET}
      request={(values: TargetValues) => apiRequest('POST /api/delivery-targets', { body: bodyOf(values) })}
      success="Delivery target added"
      onSuccess={({ id }) => router.push(`/settings/delivery-targets/${id}`)}
      submitLabel="Add target"
    >
      {(form) => <TargetFields form={form} />}
    </FormDialog>
  )
}

export function EditTargetDialog({ target, etag }: { target: DeliveryTarget; etag: string }) {
  return (
    <FormDialog
      title="Change delivery target"
      trigger={<Button>Change</Button>}
      edited={{
        resource: target,
        etag,
        valuesOf,
        fields: {
          name: 'Name',
          connection: { label: 'Connection', show: () => 'another connection' },
          secrets: { label: 'Secrets', show: () => 'other secrets' },
          naming_template: 'Naming template',
          verification: { label: 'Verified by', show: (value) => LABELS.verification[value] },
        },
      }}
      request={(values: TargetValues) =>
        apiRequest('PATCH /api/delivery-targets/{delivery_target_id}', {
          params: { delivery_target_id: target.id },
          body: bodyOf(values),
        })
      }
      success="Delivery target changed"
      submitLabel="Save"
    >
      {(form) => (
        <>
          <TargetFields form={form} target={target} />
          <p className="text-xs text-ink-muted">A new address needs its secrets again.</p>
        </>
      )}
    </FormDialog>
  )
}

/** Writes, reads and deletes a small file there, shows what came of it, and asks whether a new SFTP key is to be trusted. */
export function TargetTest({ target }: { target: DeliveryTarget }) {
  const params = { delivery_target_id: target.id }
  const test = useApiMutation({
    request: () => apiRequest('POST /api/delivery-targets/{delivery_target_id}/test', { params, body: {} }),
  })
  const trust = useApiMutation({
    request: (host_key: string) =>
      apiRequest('PATCH /api/delivery-targets/{delivery_target_id}', { params, body: { host_key } }),
    success: 'Key trusted',
    onSuccess: () => test.mutate(),
  })
  const shown = test.data?.shown_host_key ?? null
  const steps = target.last_test?.steps ?? []
  return (
    <div className="flex flex-col items-start gap-3">
      <div role="status" className="flex w-full flex-col gap-3">
        {steps.length === 0 ? (
          <p className="text-sm text-ink-muted">Not tested yet. A test writes, reads and deletes a small file.</p>
        ) : (
          <ol className="flex flex-col gap-1.5" aria-label="Steps of the last test">
            {steps.map(({ step, ok, said }) => (
              <li key={step} className="flex items-start gap-2 text-sm">
                {ok ? (
                  <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-pass-ink" />
                ) : (
                  <X aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-fail-ink" />
                )}
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">
                    {step} {ok ? 'worked' : 'failed'}
                  </span>
                  <span className="text-ink-muted">: {said}</span>
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
      {shown && shown !== target.host_key && (
        <Callout
          tone="warn"
          title={target.host_key ? 'The server shows another key than before' : 'Is this the right server?'}
          className="w-full"
          actions={
            <Button size="sm" loading={trust.isPending} onClick={() => trust.mutate(shown)}>
              Trust this key
            </Button>
          }
        >
          Its key is <code className="font-mono text-xs wrap-anywhere">{shown}</code>. Compare it with what the operator
          of the server gives you. No user and no password was sent.
        </Callout>
      )}
      <Button loading={test.isPending} onClick={() => test.mutate()}>
        Test this target
      </Button>
    </div>
  )
}

export function DeleteTargetButton({ target }: { target: DeliveryTarget }) {
  const router = useRouter()
  const remove = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/delivery-targets/{delivery_target_id}', { params: { delivery_target_id: target.id } }),
    success: 'Delivery target removed',
    refresh: false,
    onSuccess: () => router.push('/settings/delivery-targets'),
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      title={`Remove “${target.name}”?`}
      confirmLabel="Remove target"
      tone="danger"
      onConfirm={() => remove.mutateAsync()}
      trigger={
        <Button size="sm" variant="ghost">
          Remove
        </Button>
      }
    >
      Its secrets are removed, and nothing more is delivered there. Deliveries and their receipts stay.
    </ConfirmDialog>
  )
}
