'use client'

import { useQueryClient } from '@tanstack/react-query'
import { CheckboxField } from '@/components/forms/checkbox-field'
import { FormDialog } from '@/components/forms/form-dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import type { SavedViewPlace } from '@/lib/vocabulary'

/** Keeps what the list shows now under a name. */
export function SaveViewDialog({
  place,
  query,
  mayShare,
  close,
}: {
  place: SavedViewPlace
  query: Record<string, string>
  mayShare: boolean
  close: () => void
}) {
  const queryClient = useQueryClient()
  return (
    <FormDialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Save this view"
      description="Filters, order and columns as they are now."
      defaultValues={{ name: '', is_shared: false }}
      request={(values: { name: string; is_shared: boolean }) =>
        apiRequest('POST /api/saved-views', { body: { place, query, ...values } })
      }
      success="View saved"
      onSuccess={() => void queryClient.invalidateQueries({ queryKey: ['saved views', place] })}
      submitLabel="Save view"
    >
      {(form) => (
        <>
          <Field label="Name" name="name" error={form.formState.errors.name?.message}>
            <Input
              {...form.register('name', { required: 'Give the view a name.' })}
              maxLength={80}
              autoComplete="off"
            />
          </Field>
          {mayShare && <CheckboxField control={form.control} name="is_shared" label="Share with everybody" />}
        </>
      )}
    </FormDialog>
  )
}
