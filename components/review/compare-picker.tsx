'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Popover } from '@/components/ui/popover'
import { Spinner } from '@/components/ui/spinner'
import { api } from '@/lib/client/api'
import type { File } from '@/lib/domain/files/schema'
import { formatBytes } from '@/lib/format'
import { type Compared, comparedOf } from './comparing'
import type { BatchPath } from './room-queries'

type Choice = { key: string; compared: Compared; name: string; hint: string }

type ChoicesProps = {
  /** Of the versions. */
  batch: BatchPath
  versions: readonly File[]
  /** Ids of the files that are compared already. */
  shown: readonly string[]
  add: (compared: Compared) => void
}

/** Other versions of the file, and any file of any batch by its name. */
export function ComparePicker(props: ChoicesProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      title="Compare with"
      trigger={
        <Button size="sm" variant="ghost">
          <Plus />
          Add a file
        </Button>
      }
    >
      <Choices
        {...props}
        add={(compared) => {
          props.add(compared)
          setOpen(false)
        }}
      />
    </Popover>
  )
}

function Choices({ batch, versions, shown, add }: ChoicesProps) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['compare with', q],
    queryFn: async () => (await api('GET /api/search', { query: { q, kind: 'file', limit: 20 } })).results,
    enabled: q !== '',
    staleTime: 60_000,
  })
  const own = versions
    .filter(({ id }) => !shown.includes(id))
    .map(
      (each): Choice => ({
        key: each.id,
        compared: comparedOf(batch, each),
        name: `Version ${each.version}`,
        hint: formatBytes(each.size),
      }),
    )
  const found = (q === '' ? [] : (data ?? [])).flatMap(({ id, name, hint, project_id, batch_id }): Choice[] =>
    project_id && batch_id && !shown.includes(id)
      ? [{ key: id, compared: { project_id, batch_id, file_id: id }, name, hint }]
      : [],
  )
  return (
    <div className="flex w-72 max-w-full flex-col gap-3">
      {own.length > 0 && <List label="Versions of this file" choices={own} add={add} />}
      <Field label="Any file, by its name" name="compare-with">
        <Input value={typed} type="search" autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
      </Field>
      {isFetching && found.length === 0 && <Spinner />}
      {found.length > 0 && <List label="Files" choices={found} add={add} />}
      {q !== '' && !isFetching && found.length === 0 && (
        <p className="text-xs text-ink-muted">No other file that you may see is called so.</p>
      )}
    </div>
  )
}

const List = ({
  label,
  choices,
  add,
}: {
  label: string
  choices: readonly Choice[]
  add: (compared: Compared) => void
}) => (
  <ul aria-label={label} className="-mx-1.5 max-h-60 overflow-y-auto overscroll-contain">
    {choices.map(({ key, compared, name, hint }) => (
      <li key={key}>
        <button
          type="button"
          onClick={() => add(compared)}
          className="flex min-h-8 w-full min-w-0 flex-col rounded-md px-1.5 py-1 text-left text-sm hover:bg-hover pointer-coarse:min-h-10"
        >
          <span className="w-full truncate" title={name}>
            {name}
          </span>
          <span className="w-full truncate text-xs text-ink-subtle">{hint}</span>
        </button>
      </li>
    ))}
  </ul>
)
