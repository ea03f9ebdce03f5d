'use client'

import { notFound } from 'next/navigation'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LinkButton } from '@/components/ui/link-button'
import { OPEN_PROJECTS } from '@/lib/client/choices'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import {
  type Draft,
  draftOf,
  emptyDraft,
  foreignPrices,
  isPricedAlike,
  isSameRequest,
  requestOf,
  totalsOfDraft,
} from './draft'
import { asPriced, Closed, Conflict, ForeignPrices, Gone, NotSaved, TheirsShown } from './editor-notices'
import { editorReducer, errorsByRow, openEditor, problemsLeft } from './editor-state'
import { Sums } from './estimate-sheet'
import { EstimateTerms } from './estimate-terms'
import { LineTable, type LineTableHandle } from './line-table'
import type { LinesAction } from './lines'
import { plainlyAt } from './plain-problems'
import { numberFrom } from './typed-numbers'
import { useSaveEstimate } from './use-save-estimate'

type Props =
  | { project: { id: string; name: string } | null }
  /** Null once it is gone: an editor that was opened before keeps what was typed. */
  | { estimate: Estimate | null; etag: string | null }

/** Prices an estimate: what is typed stays in the browser until it is saved, and no other user's change is overwritten unseen. */
export function EstimateEditor(props: Props) {
  const asked = 'estimate' in props ? props.estimate : null
  const [opened] = useState(asked)
  if ('estimate' in props && !opened) notFound()
  const existing = asked ?? opened
  const [{ draft, saved, etag, refused, conflict, mine, isGone: isRefusedAsGone }, dispatch] = useReducer(
    editorReducer,
    null,
    () => openEditor(existing ? draftOf(existing) : emptyDraft(), 'etag' in props ? props.etag : null),
  )
  const isGone = existing !== null && (isRefusedAsGone || !asked)
  /** What saving changes; null where it makes a new one. */
  const target = isGone ? null : existing
  const [projectId, setProjectId] = useState('project' in props ? (props.project?.id ?? null) : null)
  // The page is asked anew under an open form: what was typed stays, even when the estimate was submitted meanwhile.
  const isOpen = !target || isPossible('change', target.status)
  const [wasOpen] = useState(isOpen)
  // A word that was typed changes no sum.
  const priced = useRef(draft)
  if (!isPricedAlike(priced.current, draft)) priced.current = draft
  const pricedDraft = priced.current
  const totals = useMemo(() => totalsOfDraft(pricedDraft), [pricedDraft])
  const foreign = useMemo(() => foreignPrices(pricedDraft), [pricedDraft])
  const request = useMemo(() => requestOf(draft), [draft])
  const problems = useMemo(() => problemsLeft(refused, request), [refused, request])
  const isChanged = !isSameRequest(request, saved)
  const notices = useRef<HTMLDivElement>(null)
  // The buttons that save stay in sight on a long estimate; what came of it has to come into sight, too.
  useEffect(() => {
    if (conflict || isGone || !isOpen || refused.problems.length > 0)
      notices.current?.scrollIntoView({ block: 'nearest' })
  }, [conflict, isGone, isOpen, refused])
  useUnsavedGuard(isChanged || isGone)

  const save = useSaveEstimate({
    request,
    target,
    etag,
    projectId: existing?.project.id ?? projectId,
    isOpen,
    dispatch,
  })
  const set = useCallback((values: Partial<Draft>) => dispatch({ type: 'set', values }), [])
  const setLines = useCallback((change: LinesAction) => dispatch({ type: 'lines', change }), [])
  const setCurrency = useCallback((currency: string) => dispatch({ type: 'convert', currency }), [])
  const table = useRef<LineTableHandle>(null)
  const errorAt = (path: string) => plainlyAt(problems, path)
  const lineErrors = useMemo(() => errorsByRow(problems, draft, foreign), [problems, draft, foreign])
  const sums = {
    currency: draft.currency,
    subtotal: Number(totals.subtotal),
    discount:
      draft.discountType === 'none'
        ? null
        : { type: draft.discountType, value: numberFrom(draft.discountValue, draft.currency) ?? 0 },
    discount_amount: Number(totals.discountAmount),
    tax_rate: numberFrom(draft.taxRate) ?? 0,
    tax_amount: Number(totals.taxAmount),
    total: Number(totals.total),
  }

  if (existing && !wasOpen) return <Closed estimate={existing}>It can only be revised.</Closed>
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({})
      }}
    >
      <div ref={notices} className="flex scroll-mt-20 flex-col gap-6 empty:hidden">
        {existing && !isOpen && <Closed estimate={existing}>What you typed is still here, for you to copy.</Closed>}
        {existing && isGone && <Gone number={existing.number} />}
        {conflict && isOpen && !isGone && (
          <Conflict
            theirs={conflict.estimate}
            by={conflict.by}
            mine={{ ...asPriced(request), total: sums.total }}
            isSaving={save.isPending}
            takeTheirs={() => dispatch({ type: 'take theirs', draft: draftOf(conflict.estimate), etag: conflict.etag })}
            overwrite={() => save.mutate({ over: conflict.etag })}
          />
        )}
        {mine && <TheirsShown takeMine={() => dispatch({ type: 'take mine' })} />}
        {foreign[0] && (
          <ForeignPrices
            found={foreign}
            currency={draft.currency}
            change={setCurrency}
            onKeep={() => dispatch({ type: 'drop foreign signs' })}
            show={(row) => table.current?.focus(row, 'unitPrice')}
          />
        )}
        {problems.length > 0 && (
          <NotSaved
            count={problems.length}
            lines={lineErrors}
            show={(row, column) => table.current?.focus(row, column)}
          />
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Field label="Title" error={errorAt('title')}>
          <Input value={draft.title} onValueChange={(title) => set({ title })} maxLength={200} autoComplete="off" />
        </Field>
        {'project' in props ? (
          <Field label="Project" error={errorAt('project_id')}>
            <RemoteCombobox
              source={OPEN_PROJECTS}
              chosen={props.project}
              value={projectId}
              onValueChange={setProjectId}
              placeholder="Find a project"
            />
          </Field>
        ) : (
          <Field label="Project" error={errorAt('project_id')}>
            <Input value={existing?.project.name ?? ''} readOnly />
          </Field>
        )}
      </div>
      <LineTable
        ref={table}
        lines={draft.lines}
        amounts={totals.amounts}
        currency={draft.currency}
        errors={lineErrors}
        error={errorAt('line_items')}
        dispatch={setLines}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <EstimateTerms
          currency={draft.currency}
          taxRate={draft.taxRate}
          validUntil={draft.validUntil}
          discountType={draft.discountType}
          discountValue={draft.discountValue}
          notes={draft.notes}
          problems={problems}
          set={set}
          setCurrency={setCurrency}
        />
        <div className="self-start rounded-xl border border-line bg-surface shadow-xs lg:sticky lg:top-20">
          <Sums estimate={sums} />
        </div>
      </div>
      <div className="sticky bottom-(--bottombar-height,0px) z-10 -mx-4 flex flex-wrap items-center justify-between gap-3 border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6">
        <span aria-live="polite" className="text-sm text-ink-muted">
          {save.isPending
            ? 'Saving …'
            : isChanged || isGone
              ? 'Changes not saved yet'
              : existing
                ? 'All changes saved'
                : ''}
        </span>
        <span className="flex gap-2">
          <LinkButton href={target ? `/cost-estimates/${target.id}` : '/cost-estimates'}>Cancel</LinkButton>
          <Button
            type="submit"
            variant="primary"
            loading={save.isPending}
            disabled={!isOpen || (!existing && !projectId)}
          >
            {target ? 'Save' : 'Create draft'}
          </Button>
        </span>
      </div>
    </form>
  )
}
