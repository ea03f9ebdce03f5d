'use client'

import { FileSpreadsheet } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { apiRequest } from '@/lib/client/api'
import { MEDIA_CATEGORIES, peopleWho } from '@/lib/client/choices'
import { readTextFile } from '@/lib/client/read-text-file'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { CheckedTable } from '@/lib/domain/batches/schema'
import type { Project } from '@/lib/domain/projects/schema'
import { formatCount, formatDate } from '@/lib/format'

type Person = { id: string; name: string }
type Defaults = {
  media_category_id: string | null
  operator_id: string | null
  coordinator_id: string | null
  due_on: string
}

const MOST_BYTES = 300_000
const EXAMPLE = 'name\tdue\toperator\texpected files\nPosters\t2026-12-01\tOmar Haddad\tposter_a.jpg; poster_b.jpg'

/** Batches from the lines of a spreadsheet: pasted or chosen, read by the server and shown, then created all at once. */
export function BatchTableDialog({
  project,
  coordinator,
  operator,
  close,
}: {
  project: Project
  coordinator: Person
  operator: Person | null
  close: () => void
}) {
  const [table, setTable] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [checked, setChecked] = useState<CheckedTable | null>(null)
  const [defaults, setDefaults] = useState<Defaults>({
    media_category_id: project.media_category?.id ?? null,
    operator_id: operator?.id ?? null,
    coordinator_id: coordinator.id,
    due_on: '',
  })
  const file = useRef<HTMLInputElement>(null)
  const params = { project_id: project.id }
  const body = { table, defaults: { ...defaults, due_on: defaults.due_on || null } }
  const check = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/table/check', { params, body }),
    onSuccess: setChecked,
    refresh: false,
  })
  const create = useApiMutation({
    request: () => apiRequest('POST /api/projects/{project_id}/batches/table', { params, body }),
    success: ({ batches }) => `${formatCount(batches.length, 'batch', 'batches')} created`,
    onSuccess: close,
    // What was right a moment ago may not be now: it is read again, and says what.
    onProblem: () => check.mutate(),
  })
  const isReady = checked !== null && checked.mistakes.length === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isReady) create.mutate()
    else if (table.trim() === '') setProblem('Paste the lines of a spreadsheet, or choose a file.')
    else check.mutate()
  }

  function write(text: string) {
    setTable(text)
    setProblem(null)
    setChecked(null)
  }

  const pick = (name: keyof Omit<Defaults, 'due_on'>, chosen: Person | null, placeholder: string) => (
    <RemoteCombobox
      source={SOURCES[name]}
      chosen={chosen}
      value={defaults[name]}
      onValueChange={(value) => setDefaults({ ...defaults, [name]: value })}
      placeholder={placeholder}
      clearable
    />
  )

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title="Batches from a spreadsheet"
      description={`In ${project.name}. One line is one batch; nothing is created before you have seen what it becomes.`}
      size="xl"
    >
      <form noValidate className="contents" onSubmit={submit}>
        <DialogBody>
          {isReady ? (
            <Preview batches={checked.batches} />
          ) : (
            <>
              {checked && (
                <div role="alert">
                  <Mistakes mistakes={checked.mistakes} />
                </div>
              )}
              <Field
                label="Lines"
                name="table"
                error={problem ?? undefined}
                hint="Copied from a spreadsheet, or CSV. The first line has the headings: name, category, due, operator, coordinator, expected files. Only the name is needed."
              >
                <Textarea
                  value={table}
                  onChange={(event) => write(event.target.value)}
                  rows={8}
                  spellCheck={false}
                  wrap="off"
                  placeholder={EXAMPLE}
                  className="font-mono"
                />
              </Field>
              <div>
                <input
                  ref={file}
                  type="file"
                  hidden
                  accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
                  aria-label="Choose a CSV file"
                  onChange={async (event) => {
                    const [chosen] = event.currentTarget.files ?? []
                    event.currentTarget.value = ''
                    if (!chosen) return
                    await readTextFile(chosen, MOST_BYTES).then(write, (error: Error) => setProblem(error.message))
                  }}
                />
                <Button size="sm" onClick={() => file.current?.click()}>
                  <FileSpreadsheet />
                  Choose a CSV file
                </Button>
              </div>
              <fieldset className="flex flex-col gap-4">
                <legend className="mb-3 text-sm font-semibold">Where a line says nothing</legend>
                <div className="grid gap-4 sm:grid-cols-2">
                  <Field label="Media category" name="defaults.media_category_id" optional>
                    {pick('media_category_id', project.media_category, 'Choose a category')}
                  </Field>
                  <Field label="Due" name="defaults.due_on" optional>
                    <Input
                      type="date"
                      value={defaults.due_on}
                      onValueChange={(due_on) => setDefaults({ ...defaults, due_on })}
                      className="w-44"
                    />
                  </Field>
                  <Field label="Operator" name="defaults.operator_id" optional>
                    {pick('operator_id', operator, 'No one yet')}
                  </Field>
                  <Field label="Coordinator" name="defaults.coordinator_id" optional>
                    {pick('coordinator_id', coordinator, 'No one yet')}
                  </Field>
                </div>
              </fieldset>
            </>
          )}
        </DialogBody>
        <DialogFooter>
          {isReady ? (
            <Button variant="ghost" onClick={() => setChecked(null)}>
              Back to the lines
            </Button>
          ) : (
            <DialogClose>
              <Button variant="ghost">Cancel</Button>
            </DialogClose>
          )}
          <Button type="submit" variant="primary" loading={check.isPending || create.isPending}>
            {isReady ? `Create ${formatCount(checked.batches.length, 'batch', 'batches')}` : 'Read the lines'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}

const SOURCES = {
  media_category_id: MEDIA_CATEGORIES,
  operator_id: peopleWho('operator'),
  coordinator_id: peopleWho('coordinator'),
}

const AT_ONCE = 12

function Mistakes({ mistakes }: { mistakes: CheckedTable['mistakes'] }) {
  const more = mistakes.length - AT_ONCE
  return (
    <Callout tone="fail" title={`${formatCount(mistakes.length, 'mistake')}: nothing was created`}>
      <ul className="flex list-disc flex-col gap-1 pl-4">
        {mistakes.slice(0, AT_ONCE).map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`} className="wrap-anywhere">
            <strong className="font-semibold">
              Line {line}
              {column && `, ${column}`}:
            </strong>{' '}
            {message}
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-1">And {formatCount(more, 'other')}.</p>}
    </Callout>
  )
}

function Preview({ batches }: { batches: CheckedTable['batches'] }) {
  const nameOf = (person: Person | null) => person?.name ?? 'No one yet'
  return (
    <DataTable
      caption="Batches that will be created"
      isCompact
      columns={[
        { key: 'name', header: 'Name', cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span> },
        { key: 'category', header: 'Media category', cell: ({ media_category }) => media_category.name },
        { key: 'due', header: 'Due', cell: ({ due_on }) => (due_on ? formatDate(due_on) : 'No day'), width: '8rem' },
        { key: 'operator', header: 'Operator', cell: ({ operator }) => nameOf(operator) },
        { key: 'coordinator', header: 'Coordinator', cell: ({ coordinator }) => nameOf(coordinator) },
        {
          key: 'files',
          header: 'Expected files',
          align: 'end',
          cell: ({ expected_files }) => (expected_files > 0 ? expected_files : 'Any'),
          width: '7rem',
        },
      ]}
      rows={batches}
      rowKey={({ line }) => String(line)}
      empty={null}
    />
  )
}
