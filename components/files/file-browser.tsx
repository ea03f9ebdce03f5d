'use client'

import { FileUp, Grid3x3, LayoutGrid, List, Search } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useDeferredValue, useEffect, useRef } from 'react'
import { SavedViewsMenu } from '@/components/saved-views/saved-views-menu'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { EmptyState } from '@/components/ui/empty-state'
import { FilterRow } from '@/components/ui/filter-bar'
import { SearchInput } from '@/components/ui/search-input'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { api } from '@/lib/client/api'
import { ownQuery } from '@/lib/client/page-requests'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useHashParam } from '@/lib/client/use-hash-param'
import { useOnceTrue } from '@/lib/client/use-once-true'
import type { FileFilters } from '@/lib/domain/files/schema'
import { formatCount } from '@/lib/format'
import { FileFilters as Filters, ListMenu } from './file-filters'
import { FileTable } from './file-table'
import { FILTER_NAMES, filtersOf, isFiltered, LIST_PARAMS, useListState } from './list-state'
import type { FilePowers } from './powers'
import { type FirstFiles, useFileSummaries } from './use-file-summaries'
import { useSelection } from './use-selection'

const RerunButton = dynamic(() => import('@/components/pre-qc/rerun-button').then((module) => module.RerunButton), {
  loading: () => null,
})
const SelectionBar = dynamic(() => import('./selection-bar').then((module) => module.SelectionBar), {
  loading: () => null,
})
const CheckMatrix = dynamic(() => import('@/components/pre-qc/check-matrix').then((module) => module.CheckMatrix), {
  loading: () => null,
})
const FileGrid = dynamic(() => import('./file-grid').then((module) => module.FileGrid), { loading: () => null })
const FilePanel = dynamic(() => import('./file-panel').then((module) => module.FilePanel), { ssr: false })

/** What of the file that is open the address may name as well. */
const PLACES = ['comment', 'check', 't']
/** So many files are checked again by one request. */
const MOST_AT_ONCE = 500

/** The files of a batch as a table or a wall of images, and one of them at a time beside it. All of it stands in the address. */
export function FileBrowser({
  first,
  count,
  powers,
  pickFiles,
}: {
  first: FirstFiles
  /** How many files the batch has. */
  count: number
  powers: FilePowers
  pickFiles?: () => void
}) {
  useEffect(() => ownQuery(window.location.pathname), [])
  const list = useListState()
  const { state, set } = list
  const [openId, setOpenId] = useHashParam('file', PLACES)
  const batch = { project_id: powers.projectId, batch_id: powers.batchId }
  const filters = { ...filtersOf(list), q: useDeferredValue(state.q) }
  const files = useFileSummaries(batch, filters, first, state.view === 'matrix')
  const selection = useSelection(batch, filters, files, count > 0 && openId === null)
  // What was not done with some of them is said after they are no longer selected.
  const wasSelected = useOnceTrue(selection.files.length > 0)
  // The part of the list that is shown may change behind the file that is open.
  const lastAt = useRef(-1)
  const at = openId === null ? -1 : files.indexOf(openId)
  if (at >= 0 || openId === null) lastAt.current = at
  const move = async (step: number) => {
    const next = await files.fetchAt(lastAt.current === -1 ? 0 : lastAt.current + step).catch(() => null)
    if (!next) return
    lastAt.current = lastAt.current === -1 ? 0 : lastAt.current + step
    setOpenId(next.id)
  }
  useShortcuts(
    [
      { keys: 'j', label: 'Next file', group: 'Files', run: () => void move(1) },
      { keys: 'k', label: 'Previous file', group: 'Files', run: () => void move(-1) },
    ],
    openId === null,
  )

  if (count === 0) {
    return (
      <EmptyState
        icon={<FileUp />}
        title="No files yet"
        action={
          pickFiles && (
            <Button variant="secondary" onClick={pickFiles}>
              Choose files
            </Button>
          )
        }
      >
        Drop files here, or send the agency an upload link. Each is validated by name and content before it is stored.
      </EmptyState>
    )
  }
  const clear = () => set(Object.fromEntries(FILTER_NAMES.map((name) => [name, null])))
  const hasFilters = isFiltered(list)
  return (
    <div className="flex flex-col gap-3">
      {files.couldNotRun > 0 && (
        <Callout tone="warn">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>
              {formatCount(files.couldNotRun, 'file')} could not be checked in full. The service may have been busy.
            </span>
            {powers.mayRerun && <RerunButton batch={batch}>Run again</RerunButton>}
          </div>
        </Callout>
      )}
      <search className="flex flex-wrap items-center gap-2 print:hidden">
        <div className="w-full sm:w-56">
          <SearchInput
            label="Search files"
            leading={<Search />}
            value={state.q}
            onValueChange={(q) => set({ q: q || null })}
          />
        </div>
        <FilterRow>
          <Filters list={list} batch={batch} />
        </FilterRow>
        {hasFilters && (
          <Button variant="ghost" onClick={clear}>
            Clear all
          </Button>
        )}
        <span className="text-sm text-ink-subtle tabular-nums" aria-live="polite">
          {hasFilters ? `${files.total} of ${count}` : formatCount(files.total, 'file')}
        </span>
        {files.total > 0 && (
          <Button
            variant="ghost"
            size="sm"
            onClick={selection.files.length > 0 ? selection.clear : selection.selectAll}
            aria-keyshortcuts="x Control+A"
          >
            {selection.files.length > 0 ? 'Select none' : 'Select all'}
          </Button>
        )}
        {powers.mayRerun && hasFilters && files.total > 0 && (
          <RerunButton batch={batch} variant="ghost" fileIds={() => rerunnable(batch, filters)}>
            Run {formatCount(Math.min(MOST_AT_ONCE, files.total), 'file')} again
          </RerunButton>
        )}
        <span className="ml-auto inline-flex">
          <SavedViewsMenu place="files" params={LIST_PARAMS} mayShare={powers.mayReview || powers.mayRerun} />
          <ListMenu list={list} />
        </span>
        <SegmentedControl
          label="Show files as"
          value={state.view}
          onValueChange={(view) => set({ view })}
          options={[
            { value: 'table', label: '', ariaLabel: 'Table', icon: <List /> },
            { value: 'grid', label: '', ariaLabel: 'Images', icon: <LayoutGrid /> },
            { value: 'matrix', label: '', ariaLabel: 'Checks', icon: <Grid3x3 /> },
          ]}
        />
      </search>
      {files.total === 0 ? (
        <EmptyState title="No file matches" action={<Button onClick={clear}>Clear the filters</Button>} />
      ) : state.view === 'grid' ? (
        <FileGrid files={files} open={setOpenId} selection={selection} isCompact={state.density === 'compact'} />
      ) : state.view === 'matrix' ? (
        <CheckMatrix files={files} open={setOpenId} />
      ) : (
        <FileTable files={files} open={setOpenId} selection={selection} list={list} />
      )}
      {wasSelected && <SelectionBar selection={selection} total={files.total} powers={powers} />}
      {openId && (
        <FilePanel
          fileId={openId}
          summary={files.at(at)}
          powers={powers}
          neighbours={{
            at,
            total: files.total,
            move: (step) => void move(step),
            open: setOpenId,
            nextPending: files.nextPending,
            close: () => setOpenId(null),
          }}
        />
      )}
    </div>
  )
}

/** Of the files that the filters leave, those that are not being checked. */
async function rerunnable(batch: { project_id: string; batch_id: string }, filters: FileFilters): Promise<string[]> {
  const { files } = await api('GET /api/projects/{project_id}/batches/{batch_id}/file-summaries', {
    params: batch,
    query: { ...filters, limit: MOST_AT_ONCE },
  })
  return files
    .filter(({ pre_qc }) => pre_qc && pre_qc.status !== 'queued' && pre_qc.status !== 'running')
    .map(({ id }) => id)
}
