'use client'

import dynamic from 'next/dynamic'
import type { ReactElement } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { CheckboxField } from '@/components/forms/checkbox-field'
import { FormDialog } from '@/components/forms/form-dialog'
import { bytesOf, gigabytesOf, isGigabytes } from '@/components/forms/gigabytes'
import { PasswordAndNote, passwordRule } from '@/components/forms/password-and-note'
import { expiryOf, type Lifetime, LifetimeField, lifetimeInWords, lifetimeOf } from '@/components/forms/works-for'
import { CopyField } from '@/components/ui/code-block'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import type { UploadLink } from '@/lib/domain/upload-links/schema'

const QrCode = dynamic(() => import('@/components/ui/qr-code').then((module) => module.QrCode), { loading: () => null })

type Values = {
  label: string
  lifetime: Lifetime
  max_uses: string
  max_bytes: string
  password: string
  note: string
  notify: boolean
}

/** Makes a link, and shows it ready to send. */
export function NewLinkDialog({
  batchId,
  ...opening
}: {
  batchId: string
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <FormDialog
      {...opening}
      title="New upload link"
      resultTitle="Send this link to the agency"
      description="Anyone who has it can upload to this batch, and nothing else."
      defaultValues={{ label: '', lifetime: '7', max_uses: '', max_bytes: '', password: '', note: '', notify: true }}
      request={({ notify, password, note, ...values }: Values) =>
        apiRequest('POST /api/upload-links', {
          body: { ...termsOf(values), batch_id: batchId, notify, ...(password && { password }), ...(note && { note }) },
        })
      }
      success="Link created"
      submitLabel="Create link"
      result={(made) => (
        <div className="flex flex-col items-center gap-4">
          <CopyField value={made.url} label="Upload link" />
          <QrCode value={made.url} label="QR code of the upload link" className="size-44 rounded-lg" />
        </div>
      )}
    >
      {(form) => <LinkFields form={form} isNew />}
    </FormDialog>
  )
}

export function EditLinkDialog({ link, etag, trigger }: { link: UploadLink; etag: string; trigger: ReactElement }) {
  return (
    <FormDialog
      trigger={trigger}
      title="Edit upload link"
      edited={{
        resource: link,
        etag,
        valuesOf,
        fields: {
          label: 'Label',
          lifetime: { label: 'Works', show: lifetimeInWords },
          max_uses: 'Uses',
          max_bytes: 'Size of all files (GB)',
        },
      }}
      request={(values: Values) =>
        apiRequest('PATCH /api/upload-links/{link_id}', { params: { link_id: link.id }, body: termsOf(values) })
      }
      success="Link saved"
      submitLabel="Save"
    >
      {(form) => <LinkFields form={form} />}
    </FormDialog>
  )
}

const valuesOf = (link: UploadLink): Values => ({
  label: link.label,
  lifetime: lifetimeOf(link),
  max_uses: link.max_uses?.toString() ?? '',
  max_bytes: gigabytesOf(link.max_bytes),
  password: '',
  note: '',
  notify: true,
})

const termsOf = ({
  label,
  lifetime,
  max_uses,
  max_bytes,
}: Pick<Values, 'label' | 'lifetime' | 'max_uses' | 'max_bytes'>) => ({
  label,
  max_bytes: bytesOf(max_bytes),
  max_uses: max_uses === '' ? null : Number(max_uses),
  ...expiryOf(lifetime),
})

function LinkFields({ form, isNew = false }: { form: UseFormReturn<Values>; isNew?: boolean }) {
  const { errors } = form.formState
  return (
    <>
      <Field
        label="Label"
        name="label"
        optional
        hint="So that you can distinguish links; the agency sees it."
        error={errors.label?.message}
      >
        <Input {...form.register('label')} maxLength={200} autoComplete="off" />
      </Field>
      <LifetimeField control={form.control} name="lifetime" days={[3, 7, 30]} />
      <Field
        label="Uses"
        name="max_uses"
        optional
        hint="One use is one visit with at least one accepted file. Empty: any number."
        error={errors.max_uses?.message}
      >
        <Input
          {...form.register('max_uses', {
            validate: (value) =>
              value === '' ||
              (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= 10_000) ||
              'Give a whole number from 1 to 10,000, or leave it empty.',
          })}
          inputMode="numeric"
          className="w-32"
        />
      </Field>
      <Field
        label="Size of all files, in GB"
        name="max_bytes"
        optional
        hint="A file beyond it is refused. Empty: any."
        error={errors.max_bytes?.message}
      >
        <Input
          {...form.register('max_bytes', { validate: isGigabytes })}
          inputMode="decimal"
          autoComplete="off"
          className="w-32"
        />
      </Field>
      {isNew && (
        <>
          <PasswordAndNote
            password={form.register('password', passwordRule)}
            note={form.register('note')}
            errors={errors}
            to="the agency"
            page="upload page"
          />
          <CheckboxField
            control={form.control}
            name="notify"
            label="Notify the coordinator of each file that arrives"
          />
        </>
      )}
    </>
  )
}
