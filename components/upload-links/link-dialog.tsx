'use client'

import { type ReactElement, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { CopyField } from '@/components/ui/code-block'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { ErrorSummary } from '@/components/ui/error-summary'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { QrCode } from '@/components/ui/qr-code'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Textarea } from '@/components/ui/textarea'
import { listFormErrors } from '@/lib/client/form-errors'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { UploadLink } from '@/lib/domain/upload-links/schema'

type Lifetime = 'keep' | '3' | '7' | '30' | 'never'
type Values = { label: string; lifetime: Lifetime; max_uses: string; password: string; note: string; notify: boolean }

const DAY_MS = 86_400_000

/** Makes a link, and shows it ready to send; or changes one. */
export function LinkDialog({ batchId, link, trigger }: { batchId: string; link?: UploadLink; trigger: ReactElement }) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<UploadLink | null>(null)
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) setMade(null)
      }}
      trigger={trigger}
      title={made ? 'Send this link to the agency' : link ? 'Edit upload link' : 'New upload link'}
      description={made ? 'Whoever has it can upload to this batch, and nothing else.' : undefined}
    >
      {made ? (
        <>
          <DialogBody className="flex flex-col items-center gap-4">
            <CopyField value={made.url} label="Upload link" />
            <QrCode value={made.url} label="QR code of the upload link" className="size-44 rounded-lg" />
          </DialogBody>
          <DialogFooter>
            <DialogClose>
              <Button variant="primary">Done</Button>
            </DialogClose>
          </DialogFooter>
        </>
      ) : (
        <LinkForm batchId={batchId} link={link} done={(saved) => (link ? setOpen(false) : setMade(saved))} />
      )}
    </Dialog>
  )
}

function LinkForm({ batchId, link, done }: { batchId: string; link?: UploadLink; done: (saved: UploadLink) => void }) {
  const form = useForm<Values>({
    defaultValues: {
      label: link?.label ?? '',
      lifetime: link ? 'keep' : '7',
      max_uses: link?.max_uses?.toString() ?? '',
      password: '',
      note: '',
      notify: true,
    },
  })
  const { errors, submitCount } = form.formState
  const save = useApiMutation<Values, UploadLink, Values>({
    form,
    request: ({ label, lifetime, max_uses, password, note, notify }) => {
      const common = {
        label,
        max_uses: max_uses === '' ? null : Number(max_uses),
        ...(lifetime !== 'keep' && { expires_at: endOf(lifetime) }),
      }
      return link
        ? { path: `/api/upload-links/${link.id}`, method: 'PATCH', body: common }
        : {
            path: '/api/upload-links',
            body: { ...common, batch_id: batchId, notify, ...(password && { password }), ...(note && { note }) },
          }
    },
    success: link ? 'Link saved' : 'Link created',
    onSuccess: done,
  })
  return (
    <form noValidate className="contents" onSubmit={form.handleSubmit((values) => save.mutate(values))}>
      <DialogBody className="flex flex-col gap-4">
        <ErrorSummary errors={listFormErrors(errors)} attempt={submitCount} />
        <Field
          label="Label"
          name="label"
          optional
          hint="So that you can tell links apart; the agency sees it."
          error={errors.label?.message}
        >
          <Input {...form.register('label')} maxLength={200} autoComplete="off" />
        </Field>
        <div className="flex flex-col gap-1.5">
          <p className="text-sm font-medium">Works for</p>
          <Controller
            control={form.control}
            name="lifetime"
            render={({ field }) => (
              <SegmentedControl<Lifetime>
                label="Works for"
                value={field.value}
                onValueChange={field.onChange}
                options={[
                  ...(link ? [{ value: 'keep' as const, label: 'As it is' }] : []),
                  { value: '3', label: '3 days' },
                  { value: '7', label: '7 days' },
                  { value: '30', label: '30 days' },
                  { value: 'never', label: 'No end' },
                ]}
              />
            )}
          />
        </div>
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
        {!link && (
          <>
            <Field
              label="Password"
              name="password"
              optional
              hint="Tell it to the agency by another way than the link."
              error={errors.password?.message}
            >
              <Input
                {...form.register('password', {
                  validate: (value) => value === '' || value.length >= 4 || 'A password has at least 4 characters.',
                })}
                autoComplete="new-password"
              />
            </Field>
            <Field label="Note" name="note" optional hint="Shown on the upload page." error={errors.note?.message}>
              <Textarea {...form.register('note')} maxLength={2000} rows={2} />
            </Field>
            <Controller
              control={form.control}
              name="notify"
              render={({ field }) => (
                <Checkbox
                  checked={field.value}
                  onCheckedChange={field.onChange}
                  label="Tell the coordinator of each file that arrives"
                />
              )}
            />
          </>
        )}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={save.isPending}>
          {link ? 'Save' : 'Create link'}
        </Button>
      </DialogFooter>
    </form>
  )
}

const endOf = (lifetime: Exclude<Lifetime, 'keep'>) =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
