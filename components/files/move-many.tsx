'use client'

import { useState } from 'react'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { apiRequest, type ResponseTo } from '@/lib/client/api'
import { batchesOf } from '@/lib/client/choices'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import { formatCount } from '@/lib/format'

type Outcome = ResponseTo<'POST /api/projects/{project_id}/batches/{batch_id}/files/move'>

/** Moves the selected files to another open batch of the project; what that one would not take stays. */
export function MoveMany({
  batch,
  fileIds,
  done,
  close,
}: {
  batch: { project_id: string; batch_id: string }
  fileIds: string[]
  done: (outcome: Outcome) => void
  close: () => void
}) {
  const [target, setTarget] = useState<string | null>(null)
  const move = useApiMutation({
    request: (batch_id: string) =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/move', {
        params: batch,
        body: { file_ids: fileIds, batch_id },
      }),
    onSuccess: done,
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Move ${formatCount(fileIds.length, 'file')} to another batch`}
      description="They are validated by the names, types and sizes that batch takes. What was decided or checked already stays here."
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (target) move.mutate(target)
        }}
      >
        <DialogBody>
          <Field label="Batch" name="batch_id" hint="An open batch of this project.">
            <RemoteCombobox
              source={batchesOf(batch.project_id, 'open')}
              without={[batch.batch_id]}
              value={target}
              onValueChange={setTarget}
              placeholder="Choose a batch"
              emptyText="No other open batch"
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" disabled={target === null} loading={move.isPending}>
            Move {formatCount(fileIds.length, 'file')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
