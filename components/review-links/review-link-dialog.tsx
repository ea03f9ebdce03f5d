'use client'

import type { ReactElement } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { CheckboxField } from '@/components/forms/checkbox-field'
import { FormDialog } from '@/components/forms/form-dialog'
import { PasswordAndNote, passwordRule } from '@/components/forms/password-and-note'
import { expiryOf, type Lifetime, LifetimeField, lifetimeInWords, lifetimeOf } from '@/components/forms/works-for'
import { CopyField } from '@/components/ui/code-block'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { apiRequest } from '@/lib/client/api'
import type { ReviewLink } from '@/lib/domain/review-links/schema'
import { LABELS, REVIEW_PARTIES, type ReviewParty } from '@/lib/vocabulary'

type Values = {
  name: string
  email: string
  party: ReviewParty
  lifetime: Lifetime
  password: string
  note: string
  stage_id: string
  watermark: boolean
  may_download: boolean
}

/** Makes a link for one person, and shows it ready to send. */
export function NewReviewLinkDialog({
  batchId,
  stages,
  trigger,
}: {
  batchId: string
  stages: readonly { id: string; name: string }[]
  trigger: ReactElement
}) {
  return (
    <FormDialog
      trigger={trigger}
      title="New review link"
      resultTitle="Send this link to that person only"
      description="One person without an account sees the current files, comments and decides, under this name."
      defaultValues={
        {
          name: '',
          email: '',
          party: 'client',
          lifetime: '7',
          password: '',
          note: '',
          stage_id: '',
          watermark: true,
          may_download: false,
        } satisfies Values as Values
      }
      request={({ lifetime, email, password, note, stage_id, ...values }: Values) =>
        apiRequest('POST /api/review-links', {
          body: {
            ...values,
            batch_id: batchId,
            ...expiryOf(lifetime),
            ...(stage_id && { stage_id }),
            ...(email && { email }),
            ...(password && { password }),
            ...(note && { note }),
          },
        })
      }
      success="Link created"
      submitLabel="Create link"
      result={(made) => <CopyField value={made.url} label={`Review link for ${made.name}`} />}
    >
      {(form) => <LinkFields form={form} stages={stages} isNew />}
    </FormDialog>
  )
}

/** Changes whom a link is for, how long it works, and what may be done with it. */
export function EditReviewLinkDialog({
  link,
  etag,
  trigger,
}: {
  link: ReviewLink
  etag: string
  trigger: ReactElement
}) {
  return (
    <FormDialog
      trigger={trigger}
      title="Edit review link"
      edited={{
        resource: link,
        etag,
        valuesOf,
        fields: {
          name: 'Name',
          email: 'E-mail',
          lifetime: { label: 'Works', show: lifetimeInWords },
          note: 'Note',
          watermark: { label: 'Name over every image', show: yesOrNo },
          may_download: { label: 'Downloads', show: yesOrNo },
        },
      }}
      request={({ name, email, lifetime, note, watermark, may_download }: Values) =>
        apiRequest('PATCH /api/review-links/{review_link_id}', {
          params: { review_link_id: link.id },
          body: { name, email: email || null, note: note || null, watermark, may_download, ...expiryOf(lifetime) },
        })
      }
      success="Link saved"
      submitLabel="Save"
    >
      {(form) => <LinkFields form={form} stages={[]} />}
    </FormDialog>
  )
}

const yesOrNo = (value: boolean) => (value ? 'Yes' : 'No')

const valuesOf = (link: ReviewLink): Values => ({
  name: link.name,
  email: link.email ?? '',
  party: link.party,
  lifetime: lifetimeOf(link),
  password: '',
  note: link.note ?? '',
  stage_id: link.stage_id ?? '',
  watermark: link.watermark,
  may_download: link.may_download,
})

/** Password, stage and party belong to a link from its beginning: another one needs another link. */
function LinkFields({
  form,
  stages,
  isNew = false,
}: {
  form: UseFormReturn<Values>
  stages: readonly { id: string; name: string }[]
  isNew?: boolean
}) {
  const { errors } = form.formState
  return (
    <>
      <Field label="Name" name="name" error={errors.name?.message} hint="What they say is said under it.">
        <Input
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Say whom the link is for.' })}
          maxLength={120}
          autoComplete="off"
        />
      </Field>
      <Field label="E-mail" name="email" optional error={errors.email?.message}>
        <Input {...form.register('email')} type="email" maxLength={254} autoComplete="off" />
      </Field>
      {isNew && (
        <Controller
          control={form.control}
          name="party"
          render={({ field }) => (
            <Field label="Speaks for" name="party">
              <Select<ReviewParty>
                value={field.value}
                onValueChange={field.onChange}
                options={REVIEW_PARTIES.map((value) => ({ value, label: LABELS.reviewParty[value] }))}
              />
            </Field>
          )}
        />
      )}
      {stages.length > 0 && (
        <Controller
          control={form.control}
          name="stage_id"
          render={({ field }) => (
            <Field label="Takes part in the stage" name="stage_id" error={errors.stage_id?.message}>
              <Select
                value={field.value}
                onValueChange={field.onChange}
                options={[
                  { value: '', label: 'None: a word beside the stages' },
                  ...stages.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            </Field>
          )}
        />
      )}
      <LifetimeField control={form.control} name="lifetime" days={[3, 7, 30]} />
      <PasswordAndNote
        password={isNew ? form.register('password', passwordRule) : undefined}
        note={form.register('note')}
        errors={errors}
        to="them"
        page="page"
      />
      <CheckboxField control={form.control} name="watermark" label="Show their name over every image" />
      <CheckboxField control={form.control} name="may_download" label="Let them download the files" />
    </>
  )
}
