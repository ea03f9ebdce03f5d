'use client'

import type { ReactElement } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { ChooseFiles, choiceRule } from '@/components/deliveries/choose-files'
import { FormDialog } from '@/components/forms/form-dialog'
import { PasswordAndNote, passwordRule } from '@/components/forms/password-and-note'
import { expiryOf, type Lifetime, LifetimeField, lifetimeInWords, lifetimeOf } from '@/components/forms/works-for'
import { CopyField } from '@/components/ui/code-block'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RadioGroup } from '@/components/ui/radio-group'
import { apiRequest } from '@/lib/client/api'
import type { ShareLink } from '@/lib/domain/share-links/schema'
import { formatCount } from '@/lib/format'

type Values = {
  name: string
  /** Null: every approved file. */
  file_ids: string[] | null
  lifetime: Lifetime
  access: 'download' | 'view'
  password: string
  note: string
}

/** Shares approved files with one receiver, and shows the link ready to send. */
export function NewShareLinkDialog({
  path,
  trigger,
}: {
  path: { project_id: string; batch_id: string }
  trigger: ReactElement
}) {
  return (
    <FormDialog
      trigger={trigger}
      title="Share files"
      resultTitle="Send this link to the receiver"
      description="A receiver without an account views and downloads approved files, as they are now."
      defaultValues={
        {
          name: '',
          file_ids: null,
          lifetime: '30',
          access: 'download',
          password: '',
          note: '',
        } satisfies Values as Values
      }
      request={({ name, file_ids, lifetime, access, password, note }: Values) =>
        apiRequest('POST /api/share-links', {
          body: {
            name,
            batch_id: path.batch_id,
            ...expiryOf(lifetime),
            may_download: access === 'download',
            ...(file_ids && { file_ids }),
            ...(password && { password }),
            ...(note && { note }),
          },
        })
      }
      success="Link created"
      submitLabel="Create link"
      result={(made) => (
        <div className="flex flex-col gap-2">
          <CopyField value={made.url} label={`Share link for ${made.name}`} />
          <p className="text-sm text-ink-muted">
            It offers {formatCount(made.counts.files, 'file')}. You can copy it again, and switch it off, on the page of
            the batch.
          </p>
        </div>
      )}
    >
      {(form) => <LinkFields form={form} path={path} isNew />}
    </FormDialog>
  )
}

/** Changes who receives the files, how long the link works, and what may be done with it. */
export function EditShareLinkDialog({
  path,
  link,
  etag,
  trigger,
}: {
  path: { project_id: string; batch_id: string }
  link: ShareLink
  etag: string
  trigger: ReactElement
}) {
  return (
    <FormDialog
      trigger={trigger}
      title="Edit share link"
      edited={{
        resource: link,
        etag,
        valuesOf,
        fields: {
          name: 'Receiver',
          lifetime: { label: 'Works', show: lifetimeInWords },
          access: { label: 'The receiver may', show: (access) => LABEL_OF_ACCESS[access] },
          note: 'Note',
        },
      }}
      request={({ name, lifetime, access, note }: Values) =>
        apiRequest('PATCH /api/share-links/{share_link_id}', {
          params: { share_link_id: link.id },
          body: { name, note: note || null, may_download: access === 'download', ...expiryOf(lifetime) },
        })
      }
      success="Link saved"
      submitLabel="Save"
    >
      {(form) => <LinkFields form={form} path={path} />}
    </FormDialog>
  )
}

const LABEL_OF_ACCESS: Record<Values['access'], string> = { download: 'View and download', view: 'View only' }

const valuesOf = (link: ShareLink): Values => ({
  name: link.name,
  file_ids: null,
  lifetime: lifetimeOf(link),
  access: link.may_download ? 'download' : 'view',
  password: '',
  note: link.note ?? '',
})

/** Files and password belong to a link from its beginning: others need another link. */
function LinkFields({
  form,
  path,
  isNew = false,
}: {
  form: UseFormReturn<Values>
  path: { project_id: string; batch_id: string }
  isNew?: boolean
}) {
  const { errors } = form.formState
  return (
    <>
      <Field label="Receiver" name="name" error={errors.name?.message} hint="Shown on the page of the link.">
        <Input
          {...form.register('name', { validate: (name) => name.trim() !== '' || 'Say who receives the files.' })}
          maxLength={120}
          autoComplete="off"
        />
      </Field>
      {isNew && (
        <Controller
          control={form.control}
          name="file_ids"
          rules={{ validate: choiceRule }}
          render={({ field, fieldState }) => (
            <ChooseFiles path={path} value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
          )}
        />
      )}
      <Controller
        control={form.control}
        name="access"
        render={({ field }) => (
          <div className="flex flex-col gap-1.5">
            <p id="share-access" className="text-sm font-medium">
              The receiver may
            </p>
            <RadioGroup<Values['access']>
              aria-labelledby="share-access"
              value={field.value}
              onValueChange={field.onChange}
              options={[
                { value: 'download', label: LABEL_OF_ACCESS.download, description: 'Each file, and all as one ZIP' },
                {
                  value: 'view',
                  label: LABEL_OF_ACCESS.view,
                  description: 'Previews and players; video and audio that browsers play are sent as they are',
                },
              ]}
            />
          </div>
        )}
      />
      <LifetimeField control={form.control} name="lifetime" days={[7, 30, 90]} />
      <PasswordAndNote
        password={isNew ? form.register('password', passwordRule) : undefined}
        note={form.register('note')}
        errors={errors}
        to="them"
        page="page"
      />
    </>
  )
}
