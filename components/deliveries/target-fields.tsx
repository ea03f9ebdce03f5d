'use client'

import { Controller, type UseFormReturn } from 'react-hook-form'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import { DEFAULT_TEMPLATE, DESTINATION_TOKENS, explainTemplate, pathOf } from '@/lib/domain/deliveries/rules'
import type { Connection, DeliveryTarget, SecretName } from '@/lib/domain/deliveries/schema'
import { LABELS, TARGET_KINDS, type TargetKind, VERIFICATIONS, type Verification } from '@/lib/vocabulary'

/** Fields of every kind; those of the chosen one are sent. */
export type TargetValues = {
  name: string
  connection: {
    kind: TargetKind
    bucket: string
    region: string
    endpoint: string
    prefix: string
    access_key_id: string
    host: string
    port: string
    user: string
    folder: string
    url: string
  }
  secrets: Record<SecretName, string>
  naming_template: string
  verification: Verification
}

const NO_SECRETS = { secret_access_key: '', password: '', private_key: '', passphrase: '', token: '' }

export const NEW_TARGET: TargetValues = {
  name: '',
  connection: {
    kind: 's3',
    bucket: '',
    region: 'us-east-1',
    endpoint: '',
    prefix: '',
    access_key_id: '',
    host: '',
    port: '22',
    user: '',
    folder: '',
    url: '',
  },
  secrets: NO_SECRETS,
  naming_template: DEFAULT_TEMPLATE,
  verification: 'checksum',
}

export function valuesOf({ name, connection, naming_template, verification }: DeliveryTarget): TargetValues {
  const given = Object.entries(connection).map(([field, value]) => [field, value === null ? '' : String(value)])
  const filled = { ...NEW_TARGET.connection, ...Object.fromEntries(given), kind: connection.kind }
  return { name, connection: filled, secrets: NO_SECRETS, naming_template, verification }
}

/** What is sent: fields of the chosen kind, and the secrets that were typed. */
export function bodyOf({ name, connection, secrets, naming_template, verification }: TargetValues) {
  const typed = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''))
  return { name, connection: connectionOf(connection), secrets: typed, naming_template, verification }
}

function connectionOf({ kind, ...all }: TargetValues['connection']): Connection {
  const { bucket, region, endpoint, prefix, access_key_id, host, port, user, folder, url } = all
  if (kind === 's3') return { kind, bucket, region, endpoint: endpoint || null, prefix, access_key_id }
  if (kind === 'sftp') return { kind, host, port: Number(port), user, folder }
  return { kind, url, user }
}

type Form = UseFormReturn<TargetValues>

export function TargetFields({ form, target }: { form: Form; target?: DeliveryTarget }) {
  const { register, control, watch, formState } = form
  const { errors } = formState
  const kind = watch('connection.kind')
  return (
    <>
      <Field label="Name" name="name" hint="How people choose it, such as the receiver." error={errors.name?.message}>
        <Input {...register('name', { required: 'Give it a name.' })} maxLength={100} autoComplete="off" />
      </Field>
      {!target && (
        <Controller
          control={control}
          name="connection.kind"
          render={({ field }) => (
            <Field label="Protocol" name="connection.kind">
              <Select
                value={field.value}
                onValueChange={field.onChange}
                options={TARGET_KINDS.map((value) => ({ value, label: LABELS.targetKind[value] }))}
              />
            </Field>
          )}
        />
      )}
      {kind === 's3' && <S3Fields form={form} target={target} />}
      {kind === 'sftp' && <SftpFields form={form} target={target} />}
      {(kind === 'webdav' || kind === 'http_put') && <HttpFields form={form} target={target} />}
      <TemplateField form={form} />
      <Controller
        control={control}
        name="verification"
        render={({ field }) => (
          <Field label="Verified after it was sent by" name="verification" error={errors.verification?.message}>
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={VERIFICATIONS.map((value) => ({
                value,
                label: LABELS.verification[value],
                description: VERIFIED_BY[value],
              }))}
            />
          </Field>
        )}
      />
    </>
  )
}

const VERIFIED_BY: Record<Verification, string> = {
  size: 'Quick; altered bytes are not noticed',
  checksum: 'As the target states it, else the bytes are read back',
  read_back: 'Every byte crosses the line twice',
}

type Part = { form: Form; target: DeliveryTarget | undefined }

function S3Fields({ form, target }: Part) {
  const { register, formState } = form
  const errors = formState.errors.connection
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Bucket" name="connection.bucket" error={errors?.bucket?.message}>
          <Input {...register('connection.bucket')} maxLength={63} autoComplete="off" spellCheck={false} />
        </Field>
        <Field label="Region" name="connection.region" error={errors?.region?.message}>
          <Input {...register('connection.region')} maxLength={40} autoComplete="off" spellCheck={false} />
        </Field>
      </div>
      <Field
        label="Endpoint"
        name="connection.endpoint"
        hint="Leave empty for Amazon’s own."
        error={errors?.endpoint?.message}
      >
        <Input {...register('connection.endpoint')} type="url" placeholder="https://s3.example.com" maxLength={1000} />
      </Field>
      <Field
        label="Prefix"
        name="connection.prefix"
        hint="Goes before every path; may be empty."
        error={errors?.prefix?.message}
      >
        <Input {...register('connection.prefix')} maxLength={300} autoComplete="off" />
      </Field>
      <Field label="Access key ID" name="connection.access_key_id" error={errors?.access_key_id?.message}>
        <Input {...register('connection.access_key_id')} maxLength={200} autoComplete="off" spellCheck={false} />
      </Field>
      <SecretField form={form} name="secret_access_key" label="Secret access key" target={target} />
    </>
  )
}

function SftpFields({ form, target }: Part) {
  const { register, formState } = form
  const errors = formState.errors.connection
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_6rem]">
        <Field label="Host" name="connection.host" error={errors?.host?.message}>
          <Input {...register('connection.host')} placeholder="sftp.example.com" maxLength={253} autoComplete="off" />
        </Field>
        <Field label="Port" name="connection.port" error={errors?.port?.message}>
          <Input {...register('connection.port')} inputMode="numeric" maxLength={5} autoComplete="off" />
        </Field>
      </div>
      <Field label="User" name="connection.user" error={errors?.user?.message}>
        <Input {...register('connection.user')} maxLength={200} autoComplete="off" spellCheck={false} />
      </Field>
      <SecretField form={form} name="password" label="Password" target={target} />
      <Field
        label="Private key"
        name="secrets.private_key"
        hint={hintOf('private_key', target, 'Instead of a password: OpenSSH or PEM.')}
        error={formState.errors.secrets?.private_key?.message}
      >
        <Textarea
          {...register('secrets.private_key')}
          rows={3}
          maxLength={20_000}
          spellCheck={false}
          autoComplete="off"
        />
      </Field>
      <SecretField form={form} name="passphrase" label="Passphrase of the key" target={target} />
      <Field
        label="Folder"
        name="connection.folder"
        hint="Below the home folder; with / in front from the root."
        error={errors?.folder?.message}
      >
        <Input {...register('connection.folder')} maxLength={300} autoComplete="off" />
      </Field>
    </>
  )
}

function HttpFields({ form, target }: Part) {
  const { register, formState } = form
  const errors = formState.errors.connection
  return (
    <>
      <Field
        label="Address"
        name="connection.url"
        hint="The folder below which files are put, with https."
        error={errors?.url?.message}
      >
        <Input
          {...register('connection.url')}
          type="url"
          placeholder="https://files.example.com/incoming"
          maxLength={1000}
        />
      </Field>
      <Field label="User" name="connection.user" hint="Leave empty to sign in by token." error={errors?.user?.message}>
        <Input {...register('connection.user')} maxLength={200} autoComplete="off" spellCheck={false} />
      </Field>
      <SecretField form={form} name="password" label="Password" target={target} />
      <SecretField form={form} name="token" label="Token" target={target} />
    </>
  )
}

const hintOf = (name: SecretName, target: DeliveryTarget | undefined, otherwise?: string) =>
  target?.secrets_set.includes(name) ? 'One is stored, and never shown. Leave empty to keep it.' : otherwise

function SecretField({
  form: { register, formState },
  name,
  label,
  target,
}: {
  form: Form
  name: Exclude<SecretName, 'private_key'>
  label: string
  target: DeliveryTarget | undefined
}) {
  return (
    <Field
      label={label}
      name={`secrets.${name}`}
      hint={hintOf(name, target)}
      error={formState.errors.secrets?.[name]?.message}
    >
      <Input {...register(`secrets.${name}`)} type="password" maxLength={4000} autoComplete="new-password" />
    </Field>
  )
}

const EXAMPLE = {
  agency: 'Bright Agency',
  project: 'Spring launch',
  batch: 'Banners',
  round: '1',
  file: 'spot.mp4',
  name: 'spot',
  ext: 'mp4',
  version: '2',
  date: '2026-11-25',
}

function TemplateField({ form: { register, watch, formState } }: { form: Form }) {
  const template = watch('naming_template').trim()
  const fault = template === '' ? null : explainTemplate(template)
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label="Naming template"
        name="naming_template"
        hint="Where files are put; a slash begins a folder."
        error={formState.errors.naming_template?.message ?? fault ?? undefined}
      >
        <Input {...register('naming_template')} maxLength={300} autoComplete="off" spellCheck={false} />
      </Field>
      {template !== '' && fault === null && (
        <p className="text-xs text-ink-muted wrap-anywhere">
          For example <code className="font-mono">{pathOf(template, EXAMPLE)}</code>
        </p>
      )}
      <details className="text-xs text-ink-muted">
        <summary className="cursor-pointer">Tokens</summary>
        <dl className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
          {Object.entries(DESTINATION_TOKENS).map(([token, meaning]) => (
            <div key={token} className="contents">
              <dt className="font-mono">{`{${token}}`}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
