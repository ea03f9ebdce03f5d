'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PackageCheck } from 'lucide-react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { FormDialog } from '@/components/forms/form-dialog'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Checkbox } from '@/components/ui/checkbox'
import { ErrorState } from '@/components/ui/error-state'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { api, apiRequest } from '@/lib/client/api'
import type { DeliveryChoices, DeliveryPreview } from '@/lib/domain/deliveries/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { ChooseFiles, choiceRule } from './choose-files'

type Path = { project_id: string; batch_id: string }
/** `file_ids` null: every approved file. */
type Values = { target_id: string; file_ids: string[] | null; leave_out_others: boolean }

const SHOWN = 8

/** Chooses a target, and says before anything is sent which files go where and which do not. */
export function DeliverDialog({ path, targets }: { path: Path; targets: DeliveryChoices['targets'] }) {
  return (
    <FormDialog
      title="Deliver approved files"
      description="They are sent in the background, and verified after they were sent."
      trigger={
        <Button variant="primary">
          <PackageCheck />
          Deliver files
        </Button>
      }
      defaultValues={{ target_id: targets[0]?.id ?? '', file_ids: null, leave_out_others: false } as Values}
      request={({ target_id, file_ids, leave_out_others }: Values) =>
        apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/deliveries', {
          params: path,
          body: { target_id, leave_out_others, ...(file_ids && { file_ids }) },
        })
      }
      success="Delivery begun"
      submitLabel="Deliver"
    >
      {(form) => <Fields form={form} path={path} targets={targets} />}
    </FormDialog>
  )
}

function Fields({
  form: { control, watch, formState },
  path,
  targets,
}: {
  form: UseFormReturn<Values>
  path: Path
  targets: DeliveryChoices['targets']
}) {
  const target_id = watch('target_id')
  const file_ids = watch('file_ids')
  const { data, isError, refetch } = useQuery({
    queryKey: ['delivery preview', path.batch_id, target_id, file_ids],
    queryFn: ({ signal }) =>
      api('POST /api/projects/{project_id}/batches/{batch_id}/deliveries/preview', {
        params: path,
        body: { target_id, ...(file_ids && { file_ids }) },
        signal,
      }),
    enabled: target_id !== '' && file_ids?.length !== 0,
    staleTime: 0,
    // The list stays where it is while single files are chosen.
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Controller
        control={control}
        name="target_id"
        render={({ field }) => (
          <Field label="Target" name="target_id" error={formState.errors.target_id?.message}>
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={targets.map(({ id, name, kind }) => ({
                value: id,
                label: name,
                description: LABELS.targetKind[kind],
              }))}
            />
          </Field>
        )}
      />
      <Controller
        control={control}
        name="file_ids"
        rules={{ validate: choiceRule }}
        render={({ field, fieldState }) => (
          <ChooseFiles
            path={path}
            value={field.value}
            onChange={field.onChange}
            error={file_ids ? fieldState.error?.message : undefined}
            saysAll={false}
          />
        )}
      />
      {file_ids?.length === 0 ? null : isError ? (
        <ErrorState title="What would be delivered could not be loaded" onRetry={() => void refetch()} />
      ) : data ? (
        <Preview preview={data} />
      ) : (
        <Loading label="What would be delivered">
          <Skeleton className="h-24" />
        </Loading>
      )}
      {file_ids === null && data && data.left_out.length > 0 && data.files.length > 0 && (
        <Controller
          control={control}
          name="leave_out_others"
          render={({ field }) => (
            <div className="flex flex-col gap-1.5">
              <Checkbox
                label={`Deliver without ${data.left_out.length === 1 ? 'this file' : `these ${data.left_out.length} files`}`}
                checked={field.value}
                onCheckedChange={(checked) => field.onChange(checked === true)}
              />
              {formState.errors.file_ids && (
                <p className="text-sm text-fail-ink">{formState.errors.file_ids.message}</p>
              )}
            </div>
          )}
        />
      )}
    </>
  )
}

function Preview({ preview: { files, left_out, problems, replaces } }: { preview: DeliveryPreview }) {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <div className="flex flex-col gap-3 text-sm">
      {problems.map((problem) => (
        <Callout key={problem} tone="fail">
          {problem}
        </Callout>
      ))}
      {files.length > 0 && (
        <section aria-label="Files to deliver" className="flex flex-col gap-1.5">
          <h3 className="font-medium">
            {formatCount(files.length, 'file')}, {formatBytes(size)}
          </h3>
          <ul className="flex flex-col gap-1">
            {files.slice(0, SHOWN).map(({ file, path }) => (
              <li key={file.id} className="font-mono text-xs text-ink-muted wrap-anywhere">
                {path}
              </li>
            ))}
          </ul>
          {files.length > SHOWN && <p className="text-xs text-ink-muted">and {files.length - SHOWN} more</p>}
        </section>
      )}
      {left_out.length > 0 && (
        <Callout tone="warn" title={`${formatCount(left_out.length, 'file')} not delivered`}>
          <ul className="flex flex-col gap-1">
            {left_out.slice(0, SHOWN).map(({ file, why }) => (
              <li key={file.id}>{why}</li>
            ))}
          </ul>
          {left_out.length > SHOWN && <p>and {left_out.length - SHOWN} more</p>}
        </Callout>
      )}
      {replaces.length > 0 && (
        <Callout tone="warn" title={`${formatCount(replaces.length, 'file')} there will be overwritten`}>
          Earlier deliveries put other bytes at{' '}
          {replaces
            .slice(0, 3)
            .map(({ path }) => `“${path}”`)
            .join(', ')}
          {replaces.length > 3 ? ` and ${replaces.length - 3} more places` : ''}.
        </Callout>
      )}
    </div>
  )
}
