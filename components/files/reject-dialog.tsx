'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File } from '@/lib/domain/files/schema'

/** A rejection says why: the agency mends by this sentence. */
export function RejectDialog({ file, path, close }: { file: File; path: `/api/${string}`; close: () => void }) {
  const [comment, setComment] = useState('')
  const reject = useApiMutation({
    request: () => ({ path, body: { decision: 'reject', comment } }),
    success: `${file.name} rejected`,
    onSuccess: close,
  })
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Reject “${file.name}”`}
      description="The agency sees your comment and sends a new version of this file only."
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          reject.mutate(undefined)
        }}
      >
        <DialogBody>
          <Field label="What must be mended" name="comment">
            <Textarea
              value={comment}
              onChange={(event) => setComment(event.target.value)}
              required
              maxLength={2000}
              rows={4}
            />
          </Field>
        </DialogBody>
        <DialogFooter>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="danger" disabled={comment.trim() === ''} loading={reject.isPending}>
            Reject
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
