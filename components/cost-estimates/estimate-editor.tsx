'use client'

import { notFound, useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LinkButton } from '@/components/ui/link-button'
import { ApiProblem, apiRequest, type FieldProblem } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import { changedBy, readVersion } from '@/lib/client/use-edit-form'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import {
  type Draft,
  draftOf,
  emptyDraft,
  foreignPrices,
  inCurrency,
  isPricedAlike,
  requestOf,
  rowOfItem,
  totalsOfDraft,
  withoutForeignSigns,
} from './draft'
import { asPriced, Closed, Conflict, ForeignPrices, Gone } from './editor-notices'
import { Sums } from './estimate-sheet'
import { EstimateTerms } from './estimate-terms'
import type { Column } from './line-row'
import { type LineErrors, LineTable, type LineTableHandle } from './line-table'
import { plainly, plainlyAt } from './plain-problems'
import { numberFrom } from './typed-numbers'

type Props =
  | { projects: readonly { id: string; name: string }[]; projectId?: string }
  /** Null once it is gone: an editor that was opened before keeps what was typed. */
  | { estimate: Estimate | null; etag: string | null }

/** Prices an estimate: what is typed stays in the browser until it is saved, and nobody else's change is overwritten unseen. */
export function EstimateEditor(props: Props) {
  const router = useRouter()
  const asked = 'estimate' in props ? props.estimate : null
  const [opened] = useState(asked)
  if ('estimate' in props && !opened) notFound()
  const existing = asked ?? opened
  const [isRefusedAsGone, setRefusedAsGone] = useState(false)
  const isGone = existing !== null && (isRefusedAsGone || !asked)
  /** What saving changes; null where it makes a new one. */
  const target = isGone ? null : existing
  const [draft, setDraft] = useState<Draft>(() => (existing ? draftOf(existing) : emptyDraft()))
  const [saved, setSaved] = useState(() => JSON.stringify(requestOf(draft)))
  const [etag, setEtag] = useState('etag' in props ? props.etag : null)
  const [projectId, setProjectId] = useState('projects' in props ? (props.projectId ?? null) : null)
  const [refused, setRefused] = useState<Refusal>({ problems: [], request: {} })
  // The page is asked anew under an open form: what was typed stays, even when the estimate was submitted meanwhile.
  const isOpen = !target || isPossible('change', target.status)
  const [wasOpen] = useState(isOpen)
  const [conflict, setConflict] = useState<Theirs | null>(null)
  /** What was typed before the version of somebody else took its place. */
  const [mine, setMine] = useState<Draft | null>(null)
  // A word that was typed changes no sum.
  const priced = useRef(draft)
  if (!isPricedAlike(priced.current, draft)) priced.current = draft
  const figures = priced.current
  const totals = useMemo(() => totalsOfDraft(figures), [figures])
  const foreign = useMemo(() => foreignPrices(figures), [figures])
  const request = useMemo(() => requestOf(draft), [draft])
  // What was fixed since is no problem any more.
  const problems = useMemo(
    () =>
      refused.problems.length === 0
        ? refused.problems
        : refused.problems.filter(({ path }) => isSame(at(request, path), at(refused.request, path))),
    [refused, request],
  )
  const isChanged = JSON.stringify(request) !== saved
  const notices = useRef<HTMLDivElement>(null)
  // The buttons that save stay in sight on a long estimate; what came of it has to come into sight, too.
  useEffect(() => {
    if (conflict || isGone || !isOpen || refused.problems.length > 0)
      notices.current?.scrollIntoView({ block: 'nearest' })
  }, [conflict, isGone, isOpen, refused])
  useUnsavedGuard(isChanged || isGone)

  const save = useApiMutation({
    request: ({ over }: { over?: string }) =>
      target
        ? apiRequest('PATCH /api/cost-estimates/{estimate_id}', {
            params: { estimate_id: target.id },
            body: request,
            ifMatch: over ?? etag ?? undefined,
          })
        : apiRequest('POST /api/cost-estimates', {
            // Where none is chosen yet, the server says so.
            body: { ...request, project_id: existing?.project.id ?? (projectId as string) },
          }),
    success: target ? 'Estimate saved' : 'Estimate created',
    refresh: false,
    onSuccess: (estimate) => {
      setSaved(JSON.stringify(request))
      setRefused({ problems: [], request })
      setConflict(null)
      setMine(null)
      router.push(`/cost-estimates/${estimate.id}`)
      refreshSoon(router)
    },
    onProblem: (problem) => {
      if (problem.status === 412 && target) void meet(target.id, changedBy(problem))
      else if (problem.status === 404 && target) setRefusedAsGone(true)
      else if (problem.errors.length > 0) setRefused({ problems: problem.errors, request })
      else toastProblem(problem)
    },
  })

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key !== 's') return
      event.preventDefault()
      if (!save.isPending && isOpen) save.mutate({})
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [save, isOpen])

  const set = useCallback((more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more })), [])
  const setLines = useCallback(
    (change: (lines: Draft['lines']) => Draft['lines']) =>
      setDraft((before) => ({ ...before, lines: change(before.lines) })),
    [],
  )
  const setCurrency = useCallback((currency: string) => setDraft((before) => inCurrency(before, currency)), [])
  const table = useRef<LineTableHandle>(null)
  const errorAt = (path: string) => plainlyAt(problems, path)
  const lineErrors = useMemo(
    () => (problems.length + foreign.length > 0 ? errorsByRow(problems, draft, foreign) : NO_ERRORS),
    [problems, draft, foreign],
  )
  const firstWrong = [...lineErrors].sort(([a], [b]) => a - b)[0]
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
            takeTheirs={() => takeTheirs(conflict)}
            overwrite={() => save.mutate({ over: conflict.etag })}
          />
        )}
        {mine && (
          <Callout
            title="You see their version now"
            actions={
              <Button size="sm" onClick={takeMine}>
                Back to mine
              </Button>
            }
          >
            What you had typed is kept until you save or leave.
          </Callout>
        )}
        {foreign[0] && (
          <ForeignPrices
            found={foreign}
            currency={draft.currency}
            change={setCurrency}
            keep={() => setDraft(withoutForeignSigns)}
            show={(row) => table.current?.focus(row, 'unitPrice')}
          />
        )}
        {problems.length > 0 && (
          <Callout
            tone="fail"
            title="The estimate was not saved"
            actions={
              firstWrong && (
                <Button
                  size="sm"
                  onClick={() =>
                    table.current?.focus(firstWrong[0], (Object.keys(firstWrong[1])[0] as Column) ?? 'description')
                  }
                >
                  Go to line {firstWrong[0] + 1}
                </Button>
              )
            }
          >
            {problems.length === 1
              ? 'One value needs another look; it says why.'
              : `${problems.length} values need another look; each says why.`}
          </Callout>
        )}
      </div>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Field label="Title" error={errorAt('title')}>
          <Input value={draft.title} onValueChange={(title) => set({ title })} maxLength={200} autoComplete="off" />
        </Field>
        {'projects' in props ? (
          <Field label="Project" error={errorAt('project_id')}>
            <Combobox
              options={props.projects.map(({ id, name }) => ({ value: id, label: name }))}
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
        update={setLines}
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

  /** Somebody else saved first: their version is fetched, so that it can be chosen, or replaced knowingly. */
  async function meet(id: string, by: Theirs['by']) {
    try {
      const { body: estimate, etag } = await readVersion(
        apiRequest('GET /api/cost-estimates/{estimate_id}', { params: { estimate_id: id } }),
      )
      setConflict({ estimate, etag, by })
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.status === 404) return setRefusedAsGone(true)
      toast.error('This estimate was changed meanwhile, and the other version cannot be read now', {
        description: 'What you typed is still here. Save it again in a moment.',
      })
    }
  }

  function takeTheirs({ estimate, etag }: Theirs) {
    const next = draftOf(estimate)
    setMine(draft)
    setDraft(next)
    setSaved(JSON.stringify(requestOf(next)))
    setEtag(etag)
    setConflict(null)
  }

  function takeMine() {
    if (mine) setDraft(mine)
    setMine(null)
  }
}

type Theirs = { estimate: Estimate; etag: string; by: ReturnType<typeof changedBy> }
type Refusal = { problems: readonly FieldProblem[]; request: object }

const at = (request: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], request)
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const NO_ERRORS: LineErrors = new Map()
const COLUMN_OF: Record<string, Column> = { description: 'description', quantity: 'quantity', unit_price: 'unitPrice' }

function errorsByRow(problems: readonly FieldProblem[], draft: Draft, foreign: readonly { row: number }[]): LineErrors {
  const found = new Map<number, Partial<Record<Column, string>>>()
  for (const { row } of foreign) found.set(row, { unitPrice: `Not in ${draft.currency}` })
  for (const problem of problems) {
    const [, item, field] = /^line_items\.(\d+)(?:\.(\w+))?/.exec(problem.path) ?? []
    if (item === undefined) continue
    const row = rowOfItem(draft, Number(item))
    found.set(row, { ...found.get(row), [COLUMN_OF[field ?? ''] ?? 'description']: plainly(problem) })
  }
  return found
}
