'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWaiverForm } from '@/components/pre-qc/waive-dialog'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { api, apiRequest, type ResponseTo } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { WaivableFindings } from '@/lib/domain/pre-qc/schema'
import { formatCount } from '@/lib/format'

type Batch = { project_id: string; batch_id: string }
type Outcome = ResponseTo<'POST /api/projects/{project_id}/batches/{batch_id}/waivers'>

/** Waives what one check found in all selected files, with one reason. */
export function WaiveMany({
  batch,
  fileIds,
  mayWaiveBlocking,
  done,
  close,
}: {
  batch: Batch
  fileIds: string[]
  mayWaiveBlocking: boolean
  done: (outcome: Outcome) => void
  close: () => void
}) {
  const { data: found, error } = useQuery({
    queryKey: ['waivable', batch.batch_id, fileIds],
    queryFn: () =>
      api('POST /api/projects/{project_id}/batches/{batch_id}/waivers/preview', {
        params: batch,
        body: { file_ids: fileIds },
      }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Waive a finding of ${formatCount(fileIds.length, 'file')}`}
      description="The finding stays visible with your reason. New versions of the files are not covered."
    >
      {found ? (
        <Form batch={batch} fileIds={fileIds} found={found} mayWaiveBlocking={mayWaiveBlocking} done={done} />
      ) : (
        <DialogBody>
          {error ? (
            <Callout tone="fail">{error.message}</Callout>
          ) : (
            <Loading label="findings">
              <Skeleton className="h-32 w-full" />
            </Loading>
          )}
        </DialogBody>
      )}
    </Dialog>
  )
}

function Form({
  batch,
  fileIds,
  found,
  mayWaiveBlocking,
  done,
}: {
  batch: Batch
  fileIds: string[]
  found: WaivableFindings
  mayWaiveBlocking: boolean
  done: (outcome: Outcome) => void
}) {
  const allowed = found.findings.filter(({ severity }) => severity === 'advisory' || mayWaiveBlocking)
  const [checkId, setCheckId] = useState(allowed[0]?.check_id ?? '')
  const { fields, isComplete, said } = useWaiverForm()
  const waive = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/waivers', {
        params: batch,
        body: { check_id: checkId, file_ids: fileIds, ...said },
      }),
    onSuccess: done,
  })
  const chosen = allowed.find(({ check_id }) => check_id === checkId)
  if (!chosen) {
    return (
      <>
        <DialogBody>
          <p className="text-sm">
            {found.findings.length === 0
              ? 'None of these files has a finding that could be waived.'
              : 'These files have blocking findings only, which a coordinator waives.'}
          </p>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
        </DialogFooter>
      </>
    )
  }
  const others = fileIds.length - chosen.files
  const isBlocking = chosen.severity === 'blocking'
  return (
    <form
      className="contents"
      onSubmit={(event) => {
        event.preventDefault()
        waive.mutate()
      }}
    >
      <DialogBody className="flex flex-col gap-4">
        <Field
          label="Finding"
          name="check_id"
          hint={[
            others > 0 && `${formatCount(others, 'file')} without it ${others === 1 ? 'stays' : 'stay'} as before.`,
            isBlocking && found.needs_second && 'It blocks: a second person has to confirm the waiver.',
            allowed.length < found.findings.length && 'Blocking findings are waived by a coordinator.',
          ]
            .filter(Boolean)
            .join(' ')}
        >
          <Select
            options={allowed.map(({ check_id, label, files }) => ({
              value: check_id,
              label: `${label} (${formatCount(files, 'file')})`,
            }))}
            value={checkId}
            onValueChange={setCheckId}
          />
        </Field>
        {fields}
      </DialogBody>
      <DialogFooter>
        <DialogClose>
          <Button variant="ghost">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" disabled={!isComplete} loading={waive.isPending}>
          Waive on {formatCount(chosen.files, 'file')}
        </Button>
      </DialogFooter>
    </form>
  )
}
