'use client'

import type { ReactElement } from 'react'
import { FormDialog } from '@/components/forms/form-dialog'
import { bytesOf, gigabytesOf, isGigabytes } from '@/components/forms/gigabytes'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import type { Agency } from '@/lib/domain/directory/schema'

type Values = { name: string; code: string; storage_quota: string }

const valuesOf = ({ name, code, storage_quota }: Agency): Values => ({
  name,
  code,
  storage_quota: gigabytesOf(storage_quota),
})
const bodyOf = ({ storage_quota, ...values }: Values) => ({ ...values, storage_quota: bytesOf(storage_quota) })

/** Makes an agency, or changes one. */
export function AgencyDialog({
  agency,
  etag = '',
  trigger,
}: {
  agency?: Agency
  etag?: string
  trigger: ReactElement
}) {
  return (
    <FormDialog
      title={agency ? 'Edit agency' : 'New agency'}
      trigger={trigger}
      {...(agency
        ? {
            edited: {
              resource: agency,
              etag,
              valuesOf,
              fields: { name: 'Name', code: 'Code', storage_quota: 'Storage quota (GB)' },
            },
          }
        : { defaultValues: { name: '', code: '', storage_quota: '' } })}
      request={(values: Values) =>
        agency
          ? apiRequest('PATCH /api/agencies/{agency_id}', { params: { agency_id: agency.id }, body: bodyOf(values) })
          : apiRequest('POST /api/agencies', { body: bodyOf(values) })
      }
      success={agency ? 'Agency saved' : 'Agency created'}
      submitLabel={agency ? 'Save' : 'Create agency'}
    >
      {({ register, watch, formState: { errors } }) => (
        <>
          <Field label="Name" name="name" error={errors.name?.message}>
            <Input {...register('name', { required: 'Give the agency a name.' })} maxLength={200} autoComplete="off" />
          </Field>
          <Field
            label="Code"
            name="code"
            error={errors.code?.message}
            hint={`Stands in file names: ${watch('code') || 'ACME'}_Spring_Hero_300x250_v01.png`}
          >
            <Input
              {...register('code', { required: 'Give the agency a code.' })}
              maxLength={40}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
            />
          </Field>
          <Field
            label="Storage quota, in GB"
            name="storage_quota"
            optional
            error={errors.storage_quota?.message}
            hint="What all its files may take together. A file beyond it is refused. Empty: any."
          >
            <Input
              {...register('storage_quota', { validate: isGigabytes })}
              inputMode="decimal"
              autoComplete="off"
              className="w-32"
            />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
