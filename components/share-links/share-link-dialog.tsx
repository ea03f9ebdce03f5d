'use client'

import type { ReactElement } from 'react'
import { Controller } from 'react-hook-form'
import { ChooseFiles, choiceRule } from '@/components/deliveries/choose-files'
import { FormDialog } from '@/components/forms/form-dialog'
import { PasswordAndNote, passwordRule } from '@/components/forms/password-and-note'
import { endOf, WorksFor } from '@/components/forms/works-for'
import { CopyField } from '@/components/ui/code-block'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { RadioGroup } from '@/components/ui/radio-group'
import { apiRequest } from '@/lib/client/api'
import { formatCount } from '@/lib/format'

type Values = {
  name: string
  /** Null: every approved file. */
  file_ids: string[] | null
  lifetime: '7' | '30' | '90' | 'never'
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
            expires_at: endOf(lifetime),
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
      {(form) => {
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
            <Controller
              control={form.control}
              name="file_ids"
              rules={{ validate: choiceRule }}
              render={({ field, fieldState }) => (
                <ChooseFiles
                  path={path}
                  value={field.value}
                  onChange={field.onChange}
                  error={fieldState.error?.message}
                />
              )}
            />
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
                      { value: 'download', label: 'View and download', description: 'Each file, and all as one ZIP' },
                      {
                        value: 'view',
                        label: 'View only',
                        description: 'Previews and players; video and audio that browsers play are sent as they are',
                      },
                    ]}
                  />
                </div>
              )}
            />
            <Controller
              control={form.control}
              name="lifetime"
              render={({ field }) => (
                <WorksFor<Values['lifetime']>
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: '7', label: '7 days' },
                    { value: '30', label: '30 days' },
                    { value: '90', label: '90 days' },
                  ]}
                />
              )}
            />
            <PasswordAndNote
              password={form.register('password', passwordRule)}
              note={form.register('note')}
              errors={errors}
              to="them"
              page="page"
            />
          </>
        )
      }}
    </FormDialog>
  )
}
