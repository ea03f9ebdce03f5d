'use client'

import { FileUp, Upload } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { toast } from '@/lib/client/toast'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { Destination } from '@/lib/domain/destinations/schema'

import { TryDestination } from './try-destination'

type Values = { document: string }

/** Several times the longest specification; the server reads no more. */
const MAX_BYTES = 200_000

export function ImportDestination() {
  const router = useRouter()
  return (
    <FormDialog
      trigger={
        <Button variant="primary">
          <Upload />
          Import a specification
        </Button>
      }
      title="Import a specification"
      description="A JSON document. One with the id of an imported destination and a higher version replaces it."
      defaultValues={{ document: '' }}
      request={(body: Values) => apiRequest('POST /api/destinations', { body })}
      success="Specification imported"
      submitLabel="Import"
      onSuccess={({ id }: Destination) => router.push(`/settings/destinations/${id}`)}
    >
      {(form) => <DocumentField form={form} />}
    </FormDialog>
  )
}

function DocumentField({ form }: { form: UseFormReturn<Values> }) {
  const picker = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (!file) return
    if (file.size > MAX_BYTES) return toast.error(`“${file.name}” is too large for a specification: 200 kB at most.`)
    form.setValue('document', await file.text(), { shouldDirty: true })
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Choose a document"
        onChange={(event) => {
          void read(event.currentTarget.files?.[0])
          event.currentTarget.value = ''
        }}
      />
      <Button variant="secondary" onClick={() => picker.current?.click()} className="self-start">
        <FileUp />
        Choose a file
      </Button>
      <Field label="Document" name="document" error={form.formState.errors.document?.message}>
        <Textarea
          {...form.register('document', { required: 'Choose a file, or paste the document.' })}
          rows={12}
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
      <TryDestination form={form} />
    </>
  )
}

export function WithdrawDestination({ destination }: { destination: Destination }) {
  const withdraw = useApiMutation({
    request: () =>
      apiRequest('DELETE /api/destinations/{destination_id}', { params: { destination_id: destination.id } }),
    success: 'Destination withdrawn',
  })
  return (
    <ConfirmDialog
      trigger={<Button variant="secondary">Withdraw</Button>}
      title={`Withdraw “${destination.title}”?`}
      confirmLabel="Withdraw"
      tone="danger"
      onConfirm={() => withdraw.mutateAsync()}
    >
      It can no longer be chosen. Media categories and batches that name it keep it, and their files are still evaluated
      against it. Importing a new version brings it back.
    </ConfirmDialog>
  )
}
