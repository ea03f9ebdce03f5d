'use client'

import { type ReactElement, useState } from 'react'
import { Controller } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { apiRequest } from '@/lib/client/api'
import { AGENCIES } from '@/lib/client/choices'
import type { Agency, Campaign } from '@/lib/domain/directory/schema'

type Values = { agency_id: string; name: string; code: string }

const valuesOf = ({ agency, name, code }: Campaign): Values => ({ agency_id: agency.id, name, code })

/** Makes a campaign of an agency, or changes one; its agency stays. */
export function CampaignDialog({
  campaign,
  etag = '',
  agency = null,
  trigger,
}: {
  campaign?: Campaign
  etag?: string
  /** Whose campaign a new one is, where that is said already. */
  agency?: Agency | null
  trigger: ReactElement
}) {
  const [code, setCode] = useState(agency?.code)
  return (
    <FormDialog
      title={campaign ? 'Edit campaign' : 'New campaign'}
      description={campaign && `Of ${campaign.agency.name}`}
      trigger={trigger}
      {...(campaign
        ? { edited: { resource: campaign, etag, valuesOf, fields: { name: 'Name', code: 'Code' } } }
        : { defaultValues: { agency_id: agency?.id ?? '', name: '', code: '' } })}
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
                  <RemoteCombobox
                    source={AGENCIES}
                    chosen={agency}
                    value={field.value || null}
                    onValueChange={(value, choice) => {
                      setCode(choice?.description)
                      field.onChange(value ?? '')
                    }}
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
            hint={`Stands in file names: ${code ?? 'ACME'}_${watch('code') || 'SPRING'}_Hero_300x250_v01.png`}
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
