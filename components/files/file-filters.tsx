'use client'

import { useQuery } from '@tanstack/react-query'
import { ArrowDownWideNarrow, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { FilterMenu } from '@/components/ui/filter-bar'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuCheckboxGroup, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu'
import { api } from '@/lib/client/api'
import type { FileOrder } from '@/lib/vocabulary'
import { LABELS, MEDIA_KINDS, RESULT_SUMMARIES, REVIEW_DECISIONS } from '@/lib/vocabulary'
import { COLUMN_LABELS, FILE_COLUMNS, type ListState } from './list-state'

const ORDER_LABELS: Record<FileOrder, string> = {
  newest: 'Newest',
  name: 'Name',
  verdict: 'Gravest finding',
  decision: 'Undecided first',
  size: 'Size',
  duration: 'Duration',
  version: 'Version',
}

/** What the files of a batch are filtered by, one chip each. What there is to choose from comes when it is needed. */
export function FileFilters({ list, batch }: { list: ListState; batch: { project_id: string; batch_id: string } }) {
  const { state, set } = list
  const [isAsked, setAsked] = useState(false)
  const { data: facets } = useQuery({
    queryKey: ['file facets', batch.batch_id],
    queryFn: () => api('GET /api/projects/{project_id}/batches/{batch_id}/file-facets', { params: batch }),
    // A filter of the address has a name to be shown by.
    enabled: isAsked || state.check !== null || state.sender !== null,
    staleTime: 30_000,
  })
  const ask = () => setAsked(true)
  const counted = (label: string, files: number | undefined) => (files === undefined ? label : `${label} (${files})`)
  const gone = (value: string | null, found: readonly { value: string }[], label: string) =>
    value && facets && !found.some((option) => option.value === value) ? [{ value, label }] : []
  const checks = (facets?.checks ?? []).map(({ check_id, label, files }) => ({
    value: check_id,
    label: counted(label, files),
  }))
  const senders = (facets?.senders ?? []).map(({ id, name, files }) => ({ value: id, label: counted(name, files) }))
  const kinds = MEDIA_KINDS.flatMap((value) => {
    const files = facets?.kinds.find(({ kind }) => kind === value)?.files
    return facets && !files && state.kind !== value ? [] : [{ value, label: counted(LABELS.mediaKind[value], files) }]
  })
  return (
    <>
      <FilterMenu
        filter={{
          param: 'verdict',
          label: 'Verdict',
          options: RESULT_SUMMARIES.map((value) => ({ value, label: LABELS.resultSummary[value] })),
        }}
        value={state.verdict ?? ''}
        onChange={(value) => set({ verdict: RESULT_SUMMARIES.find((each) => each === value) ?? null })}
      />
      <FilterMenu
        filter={{
          param: 'decision',
          label: 'Decision',
          options: REVIEW_DECISIONS.map((value) => ({ value, label: LABELS.reviewDecision[value] })),
        }}
        value={state.decision ?? ''}
        onChange={(value) => set({ decision: REVIEW_DECISIONS.find((each) => each === value) ?? null })}
      />
      <FilterMenu
        filter={{
          param: 'check',
          label: 'Check',
          options: [...checks, ...gone(state.check, checks, 'A check without findings here')],
        }}
        value={state.check ?? ''}
        onChange={(check) => set({ check: check || null })}
        onOpen={ask}
      />
      <FilterMenu
        filter={{ param: 'kind', label: 'Kind', options: kinds }}
        value={state.kind ?? ''}
        onChange={(value) => set({ kind: MEDIA_KINDS.find((each) => each === value) ?? null })}
        onOpen={ask}
      />
      <FilterMenu
        filter={{
          param: 'sender',
          label: 'Sender',
          options: [...senders, ...gone(state.sender, senders, 'Someone who sent nothing here')],
        }}
        value={state.sender ?? ''}
        onChange={(sender) => set({ sender: sender || null })}
        onOpen={ask}
      />
    </>
  )
}

/** In which order files stand, how dense, and with which columns. */
export function ListMenu({ list: { state, set } }: { list: ListState }) {
  return (
    <>
      <Menu trigger={<IconButton label={`Order: ${ORDER_LABELS[state.order]}`} icon={<ArrowDownWideNarrow />} />}>
        <MenuRadioGroup
          label="Order by"
          value={state.order}
          onValueChange={(order) => set({ order, direction: null })}
          options={Object.entries(ORDER_LABELS).map(([value, label]) => ({ value: value as FileOrder, label }))}
        />
      </Menu>
      {state.view !== 'matrix' && (
        <Menu trigger={<IconButton label="Density and columns" icon={<SlidersHorizontal />} />}>
          <MenuRadioGroup
            label="Density"
            value={state.density}
            onValueChange={(density) => set({ density })}
            options={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
          />
          {state.view === 'table' && (
            <>
              <MenuSeparator />
              <MenuCheckboxGroup
                label="Columns"
                values={state.columns}
                onValuesChange={(columns) => set({ columns })}
                options={FILE_COLUMNS.map((value) => ({ value, label: COLUMN_LABELS[value] }))}
              />
            </>
          )}
        </Menu>
      )}
    </>
  )
}
