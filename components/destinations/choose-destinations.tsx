'use client'

import { Route } from 'lucide-react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { RadioGroup } from '@/components/ui/radio-group'
import { apiRequest } from '@/lib/client/api'
import type { Batch } from '@/lib/domain/batches/schema'
import type { DestinationSummary } from '@/lib/domain/destinations/schema'
import { formatCount } from '@/lib/format'
import { DestinationPicker } from './destination-picker'

type Values = { scope: 'category' | 'own'; destinations: string[] }

const valuesOf = ({ destinations }: Batch): Values => ({
  scope: destinations === null ? 'category' : 'own',
  destinations: destinations ?? [],
})

/** Which destinations the files of a batch are evaluated against: those of its media category, or its own. */
export function ChooseDestinations({
  batch,
  etag,
  destinations,
  ofCategory,
}: {
  batch: Batch
  etag: string
  destinations: readonly DestinationSummary[]
  /** How many its media category names. */
  ofCategory: number
}) {
  return (
    <FormDialog
      trigger={
        <Button variant="secondary">
          <Route />
          Choose destinations
        </Button>
      }
      title="Destinations"
      edited={{
        resource: batch,
        etag,
        valuesOf,
        fields: {
          scope: 'Whose destinations',
          destinations: { label: 'Destinations', show: (ids) => ids.join(', ') },
        },
      }}
      request={({ scope, destinations: chosen }: Values) =>
        apiRequest('PATCH /api/projects/{project_id}/batches/{batch_id}', {
          params: { project_id: batch.project_id, batch_id: batch.id },
          body: { destinations: scope === 'category' ? null : chosen },
        })
      }
      success="Destinations saved"
      submitLabel="Save"
    >
      {(form) => <Fields form={form} batch={batch} destinations={destinations} ofCategory={ofCategory} />}
    </FormDialog>
  )
}

function Fields({
  form,
  batch,
  destinations,
  ofCategory,
}: {
  form: UseFormReturn<Values>
  batch: Batch
  destinations: readonly DestinationSummary[]
  ofCategory: number
}) {
  return (
    <>
      <Controller
        control={form.control}
        name="scope"
        render={({ field }) => (
          <RadioGroup
            aria-label="Whose destinations"
            value={field.value}
            onValueChange={field.onChange}
            options={[
              {
                value: 'category',
                label: 'Those of the media category',
                description: `${batch.media_category.name} names ${formatCount(ofCategory, 'destination')}`,
              },
              { value: 'own', label: 'Only these' },
            ]}
          />
        )}
      />
      {form.watch('scope') === 'own' && (
        <Controller
          control={form.control}
          name="destinations"
          render={({ field }) => (
            <DestinationPicker destinations={destinations} value={field.value} onChange={field.onChange} />
          )}
        />
      )}
    </>
  )
}
