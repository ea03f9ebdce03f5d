'use client'

import { notFound, useRouter } from 'next/navigation'
import { useEffect, useMemo, useRef, useState } from 'react'
import { toast } from 'sonner'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LinkButton } from '@/components/ui/link-button'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { FieldProblem } from '@/lib/client/api'
import { refreshSoon } from '@/lib/client/refresh'
import { toastProblem, useApiMutation } from '@/lib/client/use-api-mutation'
import { useUnsavedGuard } from '@/lib/client/use-unsaved-guard'
import { isPossible } from '@/lib/domain/cost-estimates/rules'
import type { Estimate } from '@/lib/domain/cost-estimates/schema'
import { type Draft, draftOf, emptyDraft, inCurrency, numberFrom, requestOf, rowOfItem, totalsOfDraft } from './draft'
import { asPriced, Closed, Conflict, Gone } from './editor-notices'
import { Sums } from './estimate-sheet'
import { LineTable } from './line-table'

const COMMON = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'CAD', 'AUD', 'KWD', 'CNY', 'INR']

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
  const totals = useMemo(() => totalsOfDraft(draft), [draft])
  const request = useMemo(() => requestOf(draft), [draft])
  // What was mended since is no problem any more.
  const problems = useMemo(
    () => refused.problems.filter(({ path }) => isSame(at(request, path), at(refused.request, path))),
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

  const save = useApiMutation<{ over?: string }, Estimate>({
    request: ({ over }) =>
      target
        ? {
            path: `/api/cost-estimates/${target.id}` as const,
            method: 'PATCH' as const,
            body: request,
            ifMatch: over ?? etag ?? undefined,
          }
        : { path: '/api/cost-estimates' as const, body: { ...request, project_id: existing?.project.id ?? projectId } },
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
      if (problem.status === 412 && target) void meet(target.id)
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

  const set = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }))
  const errorAt = (path: string) => {
    const problem = problems.find((each) => each.path === path)
    return problem && plainly(problem)
  }
  const lineErrors = useMemo(() => {
    const names: Record<string, string> = { description: 'description', quantity: 'quantity', unit_price: 'unitPrice' }
    return new Map(
      problems.flatMap((problem) => {
        const [, item, field] = /^line_items\.(\d+)(?:\.(\w+))?/.exec(problem.path) ?? []
        if (item === undefined) return []
        return [[`${rowOfItem(draft, Number(item))}:${names[field ?? ''] ?? 'description'}`, plainly(problem)] as const]
      }),
    )
  }, [problems, draft])
  const sums = {
    currency: draft.currency,
    subtotal: Number(totals.subtotal),
    discount:
      draft.discountType === 'none' ? null : { type: draft.discountType, value: numberFrom(draft.discountValue) ?? 0 },
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
        {problems.length > 0 && (
          <Callout tone="fail" title="The estimate was not saved">
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
        lines={draft.lines}
        amounts={totals.amounts}
        currency={draft.currency}
        errors={lineErrors}
        error={errorAt('line_items')}
        onChange={(lines) => set({ lines })}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="Currency" error={errorAt('currency')}>
              <Select
                options={[...new Set([draft.currency, ...COMMON])].map((code) => ({ value: code, label: code }))}
                value={draft.currency}
                onValueChange={(currency) => setDraft((before) => inCurrency(before, currency))}
              />
            </Field>
            <Field label="Tax" error={errorAt('tax_rate')}>
              <Input
                value={draft.taxRate}
                onValueChange={(taxRate) => set({ taxRate })}
                inputMode="decimal"
                trailing={<span>%</span>}
              />
            </Field>
            <Field label="Valid until" optional error={errorAt('valid_until')}>
              <Input type="date" value={draft.validUntil} onValueChange={(validUntil) => set({ validUntil })} />
            </Field>
          </div>
          <div className="grid gap-4 sm:grid-cols-3">
            <Field label="Discount" error={errorAt('discount.type')}>
              <Select
                options={[
                  { value: 'none', label: 'None' },
                  { value: 'percent', label: 'Percent' },
                  { value: 'amount', label: 'Amount' },
                ]}
                value={draft.discountType}
                onValueChange={(discountType) => set({ discountType })}
              />
            </Field>
            {draft.discountType !== 'none' && (
              <Field label="Discount value" error={errorAt('discount.value')}>
                <Input
                  value={draft.discountValue}
                  onValueChange={(discountValue) => set({ discountValue })}
                  inputMode="decimal"
                  trailing={<span>{draft.discountType === 'percent' ? '%' : draft.currency}</span>}
                />
              </Field>
            )}
          </div>
          <Field label="Notes" optional error={errorAt('notes')} hint="Printed below the sums.">
            <Textarea
              value={draft.notes}
              onChange={(event) => set({ notes: event.target.value })}
              rows={4}
              maxLength={5000}
            />
          </Field>
        </div>
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
  async function meet(id: string) {
    const response = await fetch(`/api/cost-estimates/${id}`).catch(() => null)
    if (response?.status === 404) return setRefusedAsGone(true)
    const etag = response?.headers.get('etag')
    if (!response?.ok || !etag) {
      toast.error('This estimate was changed meanwhile, and the other version cannot be read now', {
        description: 'What you typed is still here. Save it again in a moment.',
      })
      return
    }
    setConflict({ estimate: await response.json(), etag })
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

type Theirs = { estimate: Estimate; etag: string }
type Refusal = { problems: readonly FieldProblem[]; request: object }

const at = (request: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], request)
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What was wrong, without the name of the field in the interface: it stands at the field. */
function plainly({ path, message }: FieldProblem): string {
  if (path === 'line_items') return message.startsWith('line_items must have at least') ? NO_LINES : rest(message, path)
  return message.startsWith(path) ? rest(message, path) : message
}

const NO_LINES = 'Price at least one line: a description, and a unit price.'

function rest(message: string, path: string): string {
  const text = message.slice(path.length).replace(/^:? */, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
