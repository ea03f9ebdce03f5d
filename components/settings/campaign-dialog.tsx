'use client'

import type { ReactElement } from 'react'
import { Controller } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import type { Agency, Campaign } from '@/lib/domain/directory/schema'

type Values = { agency_id: string; name: string; code: string }

const valuesOf = ({ agency, name, code }: Campaign): Values => ({ agency_id: agency.id, name, code })

/** Makes a campaign of an agency, or changes one; its agency stays. */
export function CampaignDialog({
  campaign,
  etag = '',
  agencies,
  agencyId,
  trigger,
}: {
  campaign?: Campaign
  etag?: string
  agencies: readonly Agency[]
  agencyId?: string
  trigger: ReactElement
}) {
  const agencyCode = (id: string) => agencies.find((agency) => agency.id === id)?.code ?? 'ACME'
  return (
    <FormDialog
      title={campaign ? 'Edit campaign' : 'New campaign'}
      description={campaign && `Of ${campaign.agency.name}`}
      trigger={trigger}
      {...(campaign
        ? { edited: { resource: campaign, etag, valuesOf, fields: { name: 'Name', code: 'Code' } } }
        : { defaultValues: { agency_id: agencyId ?? '', name: '', code: '' } })}
      request={({ agency_id, ...body }: Values) =>
        campaign
          ? apiRequest('PATCH /api/campaigns/{campaign_id}', { params: { campaign_id: campaign.id }, body })
          : apiRequest('POST /api/campaigns', { body: { agency_id, ...body } })
      }
      success={campaign ? 'Campaign saved' : 'Campaign created'}
      submitLabel={campaign ? 'Save' : 'Create campaign'}
    >
      {({ register, control, watch, formState: { errors } }) => (
        <>
          {!campaign && (
            <Field label="Agency" name="agency_id" error={errors.agency_id?.message}>
              <Controller
                control={control}
                name="agency_id"
                rules={{ required: 'Choose the agency.' }}
                render={({ field }) => (
                  <Combobox
                    options={agencies.map(({ id, name, code }) => ({ value: id, label: name, description: code }))}
                    value={field.value || null}
                    onValueChange={(value) => field.onChange(value ?? '')}
                    onBlur={field.onBlur}
                  />
                )}
              />
            </Field>
          )}
          <Field label="Name" name="name" error={errors.name?.message}>
            <Input
              {...register('name', { required: 'Give the campaign a name.' })}
              maxLength={200}
              autoComplete="off"
            />
          </Field>
          <Field
            label="Code"
            name="code"
            error={errors.code?.message}
            hint={`Stands in file names: ${agencyCode(watch('agency_id'))}_${watch('code') || 'SPRING'}_Hero_300x250_v01.png`}
          >
            <Input
              {...register('code', { required: 'Give the campaign a code.' })}
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
