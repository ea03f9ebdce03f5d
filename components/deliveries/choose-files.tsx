'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Callout } from '@/components/ui/callout'
import { Checkbox } from '@/components/ui/checkbox'
import { ErrorState } from '@/components/ui/error-state'
import { Input } from '@/components/ui/input'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { type ApiProblem, api, type ResponseTo } from '@/lib/client/api'
import { formatBytes, formatCount } from '@/lib/format'

type Path = { project_id: string; batch_id: string }
type Found = ResponseTo<'GET /api/projects/{project_id}/batches/{batch_id}/deliverable-files'>
type Listed = Found['files'][number]

/** From how many files on they can be searched by name. */
const SEARCHED_FROM = 9

/** The rule of the choice, for a controller. */
export const choiceRule = (chosen: readonly string[] | null) =>
  chosen === null || chosen.length > 0 || 'Choose at least one file.'

/** All approved files of a batch, or single ones; of each that may not leave it says why. `value` null: all approved. */
export function ChooseFiles({
  path,
  value,
  onChange,
  error,
  saysAll = true,
}: {
  path: Path
  value: string[] | null
  onChange: (chosen: string[] | null) => void
  error?: string
  /** Whether it says itself what all approved files are, and which others are left out. */
  saysAll?: boolean
}) {
  const { data, error: problem, refetch } = useDeliverable(path)
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm font-medium">Files</p>
      <SegmentedControl<'all' | 'chosen'>
        label="Files"
        value={value === null ? 'all' : 'chosen'}
        onValueChange={(next) => onChange(next === 'all' ? null : [])}
        options={[
          { value: 'all', label: 'All approved' },
          { value: 'chosen', label: 'Choose files' },
        ]}
      />
      {problem ? (
        <ErrorState title="The files could not be loaded" requestId={problem.requestId} onRetry={() => void refetch()}>
          {problem.detail}
        </ErrorState>
      ) : !data ? (
        <Loading label="The files of the batch">
          <Skeleton className="h-16" />
        </Loading>
      ) : value !== null ? (
        <Choice found={data} value={value} onChange={onChange} />
      ) : (
        saysAll && <All found={data} />
      )}
      {error && (
        <p role="alert" className="text-sm text-fail-ink">
          {error}
        </p>
      )}
    </div>
  )
}

const useDeliverable = (path: Path) =>
  useQuery<Found, ApiProblem>({
    queryKey: ['deliverable files', path.batch_id],
    queryFn: ({ signal }) =>
      api('GET /api/projects/{project_id}/batches/{batch_id}/deliverable-files', { params: path, signal }),
    staleTime: 0,
  })

const sizeOf = (files: readonly Listed[]) => files.reduce((sum, { size }) => sum + size, 0)

const SHOWN = 6

function All({ found: { files, total } }: { found: Found }) {
  const left = files.filter(({ why }) => why !== null)
  const ready = files.filter(({ why }) => why === null)
  return (
    <div className="flex flex-col gap-2 text-sm">
      {ready.length === 0 ? (
        <Callout tone="fail">There is no approved file yet. Approve files first.</Callout>
      ) : (
        <p className="text-ink-muted tabular-nums">
          {formatCount(ready.length, 'file')}, {formatBytes(sizeOf(ready))}
          {total > files.length && `, of the first ${files.length} of ${total}`}
        </p>
      )}
      {left.length > 0 && (
        <Callout tone="neutral" title={`${formatCount(left.length, 'file')} left out`}>
          <ul className="flex flex-col gap-1">
            {left.slice(0, SHOWN).map(({ file, why }) => (
              <li key={file.id}>{why}</li>
            ))}
          </ul>
          {left.length > SHOWN && <p>and {left.length - SHOWN} more</p>}
        </Callout>
      )}
    </div>
  )
}

function Choice({
  found: { files, total },
  value,
  onChange,
}: {
  found: Found
  value: string[]
  onChange: (chosen: string[]) => void
}) {
  const [sought, setSought] = useState('')
  const shown = files.filter(({ file }) => file.name.toLowerCase().includes(sought.trim().toLowerCase()))
  const able = shown.filter(({ why }) => why === null).map(({ file }) => file.id)
  const chosen = files.filter(({ file }) => value.includes(file.id))
  const hasAll = able.length > 0 && able.every((id) => value.includes(id))
  const set = (ids: readonly string[], isChosen: boolean) =>
    onChange(isChosen ? [...new Set([...value, ...ids])] : value.filter((id) => !ids.includes(id)))
  return (
    <div className="flex flex-col gap-2">
      {files.length >= SEARCHED_FROM && (
        <Input
          type="search"
          aria-label="Search the files by name"
          placeholder="Search by name"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          maxLength={200}
        />
      )}
      <div className="rounded-lg border border-line-strong">
        <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line bg-sunken px-3 py-1.5">
          <Checkbox
            label={sought.trim() === '' ? 'All that can be' : 'All of these'}
            checked={hasAll}
            indeterminate={!hasAll && able.some((id) => value.includes(id))}
            disabled={able.length === 0}
            onCheckedChange={(isChosen) => set(able, isChosen === true)}
          />
          <p aria-live="polite" className="text-xs text-ink-muted tabular-nums">
            {formatCount(chosen.length, 'file')}, {formatBytes(sizeOf(chosen))}
          </p>
        </div>
        {shown.length === 0 ? (
          <p className="px-3 py-4 text-sm text-ink-muted">
            {files.length === 0 ? 'The batch has no files yet.' : 'No file has such a name.'}
          </p>
        ) : (
          <ul aria-label="Files to choose" className="max-h-60 divide-y divide-line overflow-y-auto">
            {shown.map(({ file, size, why }) => (
              <li key={file.id} className="px-3 py-1.5">
                <Checkbox
                  label={<span className="wrap-anywhere">{file.name}</span>}
                  description={why ?? formatBytes(size)}
                  checked={value.includes(file.id)}
                  disabled={why !== null}
                  onCheckedChange={(isChosen) => set([file.id], isChosen === true)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      {total > files.length && (
        <p className="text-xs text-ink-muted">
          The first {files.length} of {total} files by name.
        </p>
      )}
    </div>
  )
}
