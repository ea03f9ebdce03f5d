'use client'

import { useState } from 'react'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { peopleWho } from '@/lib/client/choices'
import { formatCount } from '@/lib/format'
import { type AssignedField, FIELD_WORDS, type SelectedBatch } from './assigned-fields'

const SOURCES = { operator_id: peopleWho('operator'), coordinator_id: peopleWho('coordinator') }

const HINTS: Record<AssignedField, string> = {
  operator_id: 'Reviews the files; needed before a batch is submitted.',
  coordinator_id: 'Is in charge, and notified of what arrives.',
  due_on: 'The last day on which they should be approved, UTC.',
}

const AT_ONCE = 6

/** One field of several batches: who, or the day. */
export function AssignDialog({
  field,
  batches,
  isPending,
  assign,
  close,
}: {
  field: AssignedField
  batches: readonly SelectedBatch[]
  isPending: boolean
  assign: (value: string | null) => void
  close: () => void
}) {
  const [value, setValue] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const word = FIELD_WORDS[field]
  const names = batches.slice(0, AT_ONCE).map(({ name }) => name)
  const more = batches.length - names.length
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Change the ${word} of ${formatCount(batches.length, 'batch', 'batches')}`}
      description={`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (value === null) setMissing(true)
          else assign(value)
        }}
      >
        <DialogBody>
          <Field
            label={word.replace(/^./, (letter) => letter.toUpperCase())}
            name={field}
            hint={HINTS[field]}
            error={isMissing && value === null ? `Choose the ${word}, or remove it.` : undefined}
          >
            {field === 'due_on' ? (
              <Input type="date" value={value ?? ''} onValueChange={(day) => setValue(day || null)} className="w-44" />
            ) : (
              <RemoteCombobox
                source={SOURCES[field]}
                value={value}
                onValueChange={setValue}
                placeholder={`Choose the ${word}`}
                clearable
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter>
          <Button variant="danger-ghost" className="mr-auto" disabled={isPending} onClick={() => assign(null)}>
            Remove the {word}
          </Button>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" loading={isPending}>
            Change {formatCount(batches.length, 'batch', 'batches')}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
