'use client'

import { FileUp, Grid3x3, LayoutGrid, List, Search } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { CheckMatrix } from '@/components/pre-qc/check-matrix'
import { RerunButton } from '@/components/pre-qc/rerun-button'
import { ResultBadge } from '@/components/pre-qc/result-badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { DataTable } from '@/components/ui/data-table'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/input'
import { RelativeTime } from '@/components/ui/relative-time'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useHashParam } from '@/lib/client/use-hash-param'
import type { File } from '@/lib/domain/files/schema'
import { couldNotRun, whyNotRerun } from '@/lib/domain/pre-qc/rules'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { LABELS, RESULT_SUMMARIES, REVIEW_DECISIONS } from '@/lib/vocabulary'
import { Decision } from './decision'
import { factsOf } from './facts'
import { FileName } from './file-name'
import { FilePanel, type FilePowers } from './file-panel'
import { Thumbnail } from './thumbnail'

const ANY = 'any'
const VERDICTS = [
  { value: ANY, label: 'Any verdict' },
  ...RESULT_SUMMARIES.map((value) => ({ value, label: LABELS.resultSummary[value] })),
]
const DECISIONS = [
  { value: ANY, label: 'Any decision' },
  ...REVIEW_DECISIONS.map((value) => ({ value, label: LABELS.reviewDecision[value] })),
]

/** The files of a batch as a table or a wall of images, and one of them at a time beside it. All of it stands in the address. */
export function FileBrowser({
  files,
  results,
  powers,
  pickFiles,
}: {
  files: readonly File[]
  results: readonly PreQcResult[]
  powers: FilePowers
  pickFiles?: () => void
}) {
  const [state, setState] = useQueryStates({
    view: parseAsStringLiteral(['table', 'grid', 'matrix']).withDefault('table'),
    q: parseAsString.withDefault(''),
    verdict: parseAsString.withDefault(ANY),
    decision: parseAsString.withDefault(ANY),
  })
  const [openId, setOpenId] = useHashParam('file')
  const resultOf = useMemo(() => new Map(results.map((result) => [result.file_id, result])), [results])
  const shown = files.filter(
    (file) =>
      file.name.toLowerCase().includes(state.q.trim().toLowerCase()) &&
      (state.verdict === ANY || file.pre_qc?.summary === state.verdict) &&
      (state.decision === ANY || file.review.decision === state.decision),
  )
  const opened = files.find((file) => file.id === openId)
  const move = (step: number) => {
    const at = shown.findIndex((file) => file.id === openId)
    const next = shown[at === -1 ? 0 : at + step]
    if (next) setOpenId(next.id)
  }
  useShortcuts([
    { keys: 'j', label: 'Next file', group: 'Files', run: () => move(1) },
    { keys: 'k', label: 'Previous file', group: 'Files', run: () => move(-1) },
  ])

  if (files.length === 0) {
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
  const clear = () => setState({ q: null, verdict: null, decision: null })
  const stuck = files.filter((file) => couldNotRun(resultOf.get(file.id) ?? null)).length
  const again = shown.filter(
    (file) => whyNotRerun({ isCurrent: file.is_current }, resultOf.get(file.id) ?? null) === null,
  )
  const batch = { project_id: powers.projectId, batch_id: powers.batchId }
  const isFiltered = shown.length < files.length
  return (
    <div className="flex flex-col gap-3">
      {stuck > 0 && (
        <Callout tone="warn">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>{formatCount(stuck, 'file')} could not be checked in full. The service may have been busy.</span>
            {powers.mayRerun && <RerunButton batch={batch}>Run again</RerunButton>}
          </div>
        </Callout>
      )}
      <search className="flex flex-wrap items-center gap-2">
        <div className="w-full sm:w-56">
          <Input
            type="search"
            aria-label="Search files"
            placeholder="Search files"
            data-search-shortcut
            leading={<Search />}
            value={state.q}
            onValueChange={(q) => setState({ q: q || null })}
          />
        </div>
        <Select
          aria-label="Verdict"
          className="w-38"
          options={VERDICTS}
          value={state.verdict}
          onValueChange={(verdict) => setState({ verdict: verdict === ANY ? null : verdict })}
        />
        <Select
          aria-label="Decision"
          className="w-38"
          options={DECISIONS}
          value={state.decision}
          onValueChange={(decision) => setState({ decision: decision === ANY ? null : decision })}
        />
        <span className="text-sm text-ink-subtle tabular-nums" aria-live="polite">
          {shown.length === files.length
            ? `${files.length} ${files.length === 1 ? 'file' : 'files'}`
            : `${shown.length} of ${files.length}`}
        </span>
        {powers.mayRerun && isFiltered && again.length > 0 && (
          <RerunButton batch={batch} variant="ghost" fileIds={again.slice(0, 500).map(({ id }) => id)}>
            Run {formatCount(Math.min(500, again.length), 'file')} again
          </RerunButton>
        )}
        <SegmentedControl
          label="Show files as"
          className="ml-auto"
          value={state.view}
          onValueChange={(view) => setState({ view: view === 'table' ? null : view })}
          options={[
            { value: 'table', label: '', ariaLabel: 'Table', icon: <List /> },
            { value: 'grid', label: '', ariaLabel: 'Images', icon: <LayoutGrid /> },
            { value: 'matrix', label: '', ariaLabel: 'Checks', icon: <Grid3x3 /> },
          ]}
        />
      </search>
      {shown.length === 0 ? (
        <EmptyState title="No file matches" action={<Button onClick={clear}>Clear the filters</Button>} />
      ) : state.view === 'grid' ? (
        <FileGrid files={shown} resultOf={resultOf} open={(id) => setOpenId(id)} />
      ) : state.view === 'matrix' ? (
        <CheckMatrix files={shown} resultOf={resultOf} open={(id) => setOpenId(id)} />
      ) : (
        <DataTable
          caption="Files of this batch"
          rows={shown}
          rowKey={(file) => file.id}
          columns={[
            {
              key: 'name',
              header: 'File',
              cell: (file) => (
                <button
                  type="button"
                  onClick={() => setOpenId(file.id)}
                  className="flex min-w-0 items-center gap-3 text-left after:absolute after:inset-0"
                >
                  <Thumbnail file={file} className="h-10 w-14" />
                  <span className="min-w-0">
                    <span className="block font-medium wrap-anywhere">
                      <FileName name={file.name} />
                    </span>
                    <span className="block text-xs text-ink-subtle">
                      {[file.version > 1 && `Version ${file.version}`, ...factsOf(file), formatBytes(file.size)]
                        .filter(Boolean)
                        .join(' · ')}
                    </span>
                  </span>
                </button>
              ),
            },
            {
              key: 'verdict',
              header: 'Pre-QC',
              width: '9rem',
              cell: (file) => <ResultBadge result={resultOf.get(file.id) ?? null} />,
            },
            {
              key: 'decision',
              header: 'Review',
              width: '7.5rem',
              cell: (file) => <Decision decision={file.review.decision} />,
            },
            { key: 'source', header: 'From', width: '10rem', wideOnly: true, cell: (file) => <Source file={file} /> },
            {
              key: 'created',
              header: 'Received',
              width: '7.5rem',
              wideOnly: true,
              cell: (file) => <RelativeTime value={file.created_at} />,
            },
          ]}
          empty={null}
        />
      )}
      {opened && (
        <FilePanel
          file={opened}
          result={resultOf.get(opened.id) ?? null}
          powers={powers}
          close={() => setOpenId(null)}
          move={move}
        />
      )}
    </div>
  )
}

const Source = ({ file }: { file: File }) => (
  <span className="wrap-anywhere">
    {file.source.type === 'upload_link' ? `Link “${file.source.name || 'without a label'}”` : file.source.name}
  </span>
)

function FileGrid({
  files,
  resultOf,
  open,
}: {
  files: readonly File[]
  resultOf: ReadonlyMap<string, PreQcResult>
  open: (id: string) => void
}) {
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
      {files.map((file) => (
        <li
          key={file.id}
          className="relative min-w-0 rounded-lg border border-line bg-surface p-2 hover:border-line-strong"
        >
          <Thumbnail file={file} className="aspect-4/3 w-full" />
          <button
            type="button"
            onClick={() => open(file.id)}
            className="mt-2 line-clamp-2 w-full text-left text-sm font-medium wrap-anywhere after:absolute after:inset-0"
          >
            <FileName name={file.name} />
          </button>
          <p className="truncate text-xs text-ink-subtle">{factsOf(file).join(' · ') || formatBytes(file.size)}</p>
          <div className="mt-1.5 flex flex-wrap items-center justify-between gap-1">
            <ResultBadge quiet result={resultOf.get(file.id) ?? null} />
            {file.review.decision !== 'pending' && <Decision decision={file.review.decision} />}
          </div>
        </li>
      ))}
    </ul>
  )
}
