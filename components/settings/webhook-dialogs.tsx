'use client'

import { Plus } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyField } from '@/components/ui/code-block'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RadioGroup } from '@/components/ui/radio-group'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Webhook } from '@/lib/domain/webhooks/schema'
import { EVENT_TYPES, eventLabel } from '@/lib/vocabulary'

type Values = { url: string; description: string; scope: 'all' | 'chosen'; event_types: Webhook['event_types'] }

const valuesOf = ({ url, description, event_types }: Webhook): Values => ({
  url,
  description,
  scope: event_types.length === 0 ? 'all' : 'chosen',
  event_types,
})

const bodyOf = ({ scope, event_types, ...rest }: Values) => ({
  ...rest,
  event_types: scope === 'all' ? [] : event_types,
})

function WebhookFields({ register, control, watch, formState: { errors } }: UseFormReturn<Values>) {
  return (
    <>
      <Field label="Address" name="url" hint="Where events are posted to, with https." error={errors.url?.message}>
        <Input
          {...register('url', { required: 'Say where events are posted to.' })}
          type="url"
          placeholder="https://example.com/hooks/greenroom"
          maxLength={2000}
          autoComplete="off"
        />
      </Field>
      <Field
        label="Description"
        name="description"
        hint="Which system listens there."
        error={errors.description?.message}
      >
        <Input {...register('description')} maxLength={200} autoComplete="off" />
      </Field>
      <Controller
        control={control}
        name="scope"
        render={({ field }) => (
          <RadioGroup
            aria-label="Events"
            value={field.value}
            onValueChange={field.onChange}
            options={[
              { value: 'all', label: 'Every event', description: 'Also kinds that are added later' },
              { value: 'chosen', label: 'Only these' },
            ]}
          />
        )}
      />
      {watch('scope') === 'chosen' && (
        <Controller
          control={control}
          name="event_types"
          rules={{ validate: (chosen) => chosen.length > 0 || 'Choose at least one event.' }}
          render={({ field }) => (
            <fieldset className="flex flex-col gap-2 border-l-2 border-line pl-4">
              <legend className="sr-only">Chosen events</legend>
              <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
                {EVENT_TYPES.map((type) => (
                  <Checkbox
                    key={type}
                    label={eventLabel(type)}
                    checked={field.value.includes(type)}
                    onCheckedChange={(checked) =>
                      field.onChange(checked ? [...field.value, type] : field.value.filter((other) => other !== type))
                    }
                  />
                ))}
              </div>
              {errors.event_types && <p className="text-sm text-fail-ink">{errors.event_types.message}</p>}
            </fieldset>
          )}
        />
      )}
    </>
  )
}

function Secret({ secret, children }: { secret: string; children: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Callout tone="warn" title="Copy the signing secret now">
        {children}
      </Callout>
      <CopyField value={secret} label="signing secret" />
      <p className="text-sm text-ink-muted">
        Every request is signed by the rules of Standard Webhooks: HMAC-SHA-256 over{' '}
        <code className="font-mono text-xs">webhook-id.webhook-timestamp.body</code>. Libraries for most languages check
        it.
      </p>
    </div>
  )
}

/** Adds an endpoint and shows its secret once. */
export function NewWebhookDialog() {
  return (
    <FormDialog
      title="New webhook"
      description="Another system is notified of events as they happen."
      trigger={
        <Button variant="primary">
          <Plus />
          New webhook
        </Button>
      }
      defaultValues={{ url: '', description: '', scope: 'all', event_types: [] }}
      request={(values: Values) => apiRequest('POST /api/webhooks', { body: bodyOf(values) })}
      success="Webhook added"
      submitLabel="Add webhook"
      result={({ secret }) => (
        <Secret secret={secret}>
          It is shown this once. With it the receiver checks that a request comes from here.
        </Secret>
      )}
    >
      {(form) => <WebhookFields {...form} />}
    </FormDialog>
  )
}

export function EditWebhookDialog({ webhook, etag }: { webhook: Webhook; etag: string }) {
  return (
    <FormDialog
      title="Change webhook"
      trigger={<Button>Change</Button>}
      edited={{
        resource: webhook,
        etag,
        valuesOf,
        fields: {
          url: 'Address',
          description: 'Description',
          scope: { label: 'Events', show: (scope) => (scope === 'all' ? 'every event' : 'only chosen ones') },
          event_types: { label: 'Chosen events', show: (types) => types.map(eventLabel).join(', ') },
        },
      }}
      request={(values: Values) =>
        apiRequest('PATCH /api/webhooks/{webhook_id}', { params: { webhook_id: webhook.id }, body: bodyOf(values) })
      }
      success="Webhook changed"
      submitLabel="Save"
    >
      {(form) => <WebhookFields {...form} />}
    </FormDialog>
  )
}

/** What an administrator does with an endpoint, at the head of its page. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const isActive = webhook.status === 'active'
  const params = { webhook_id: webhook.id }
  const ping = useApiMutation({
    request: () => apiRequest('POST /api/webhooks/{webhook_id}/ping', { params, body: {} }),
    success: 'Ping is on its way; its response appears in the log',
  })
  const toggle = useApiMutation({
    request: () =>
      apiRequest('PATCH /api/webhooks/{webhook_id}', {
        params,
        body: { status: isActive ? 'disabled' : 'active' },
      }),
    success: isActive ? 'Webhook disabled' : 'Webhook enabled',
  })
  return (
    <>
      {isActive && (
        <Button onClick={() => ping.mutate()} loading={ping.isPending}>
          Send a ping
        </Button>
      )}
      <Button variant={isActive ? 'secondary' : 'primary'} onClick={() => toggle.mutate()} loading={toggle.isPending}>
        {isActive ? 'Disable' : 'Enable'}
      </Button>
    </>
  )
}

export function RotateSecretDialog({ webhook }: { webhook: Webhook }) {
  return (
    <FormDialog
      title="Rotate the signing secret?"
      trigger={<Button size="sm">Rotate secret</Button>}
      defaultValues={{}}
      request={() =>
        apiRequest('POST /api/webhooks/{webhook_id}/rotate-secret', { params: { webhook_id: webhook.id }, body: {} })
      }
      success="Secret rotated"
      submitLabel="Rotate secret"
      result={({ secret }) => (
        <Secret secret={secret}>
          It is shown this once. For 24 hours the secret before signs every request as well.
        </Secret>
      )}
    >
      {() => (
        <p className="text-sm text-ink-muted">
          A new secret is made. For 24 hours requests carry two signatures, by the new secret and by the one before, so
          that the receiver can change over without missing anything.
        </p>
      )}
    </FormDialog>
  )
}

export function DeleteWebhookButton({ webhook }: { webhook: Webhook }) {
  const router = useRouter()
  const remove = useApiMutation({
    request: () => apiRequest('DELETE /api/webhooks/{webhook_id}', { params: { webhook_id: webhook.id } }),
    success: 'Webhook removed',
    refresh: false,
    onSuccess: () => router.push('/settings/webhooks'),
    onProblem: () => {},
  })
  return (
    <ConfirmDialog
      title="Remove this webhook?"
      confirmLabel="Remove webhook"
      tone="danger"
      onConfirm={() => remove.mutateAsync()}
      trigger={
        <Button size="sm" variant="ghost">
          Remove
        </Button>
      }
    >
      Nothing more is sent to {webhook.url}, and its delivery log goes with it. This cannot be undone.
    </ConfirmDialog>
  )
}
