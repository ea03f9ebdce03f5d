'use client'

import type { ReactElement } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import type { Agency } from '@/lib/domain/directory/schema'
import { FormDialog } from './form-dialog'

type Values = { name: string; code: string }

/** Makes an agency, or changes one. */
export function AgencyDialog({ agency, etag, trigger }: { agency?: Agency; etag?: string; trigger: ReactElement }) {
  return (
    <FormDialog<Values>
      title={agency ? 'Edit agency' : 'New agency'}
      trigger={trigger}
      defaultValues={{ name: agency?.name ?? '', code: agency?.code ?? '' }}
      etag={etag}
      request={(body, ifMatch) =>
        agency
          ? { path: `/api/agencies/${agency.id}`, method: 'PATCH', body, ifMatch }
          : { path: '/api/agencies', body }
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
        </>
      )}
    </FormDialog>
  )
}
