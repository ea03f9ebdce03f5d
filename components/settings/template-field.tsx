'use client'

import { useQuery } from '@tanstack/react-query'
import { Brackets } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { RemoteCombobox } from '@/components/forms/remote-combobox'
import { Button } from '@/components/ui/button'
import { Combobox } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { api } from '@/lib/client/api'
import { AGENCIES } from '@/lib/client/choices'
import type { Agency } from '@/lib/domain/directory/schema'
import { describeTemplate } from '@/lib/domain/naming/describe'
import { parseTemplate, type TemplateProblem } from '@/lib/domain/naming/template'
import { TOKENS, type Token } from '@/lib/domain/naming/tokens'
import { NameTrial } from './name-trial'
import { TemplateChips, TemplateFaults } from './template-drawing'

/** So many of an agency are evaluated by, and offered. */
const MOST_CAMPAIGNS = 500
const ANY_CODES = { agencyCode: null, campaignCodes: [], extensions: [] }

/** Builds a naming template: type it or put it together from its parts, see how it is read, try names against it. */
export function TemplateField({
  value,
  onChange,
  onBlur,
  error,
  agency: first,
  extensions,
}: {
  value: string
  onChange: (value: string) => void
  onBlur: () => void
  error: string | undefined
  agency: Agency | null
  /** Of the media types that are taken. */
  extensions: readonly string[]
}) {
  const input = useRef<HTMLInputElement>(null)
  const [agency, setAgency] = useState<Pick<Agency, 'id' | 'code'> | null>(first)
  const [campaignId, setCampaignId] = useState<string | null>(null)
  const source = value.trim()
  const parsed = source === '' ? null : parseTemplate(source)
  const problems = parsed?.ok === false ? parsed.problems : []
  const { data: ofAgency = [] } = useQuery({
    queryKey: ['campaigns of an agency', agency?.id],
    queryFn: async () =>
      (await api('GET /api/campaigns', { query: { agency_id: agency?.id, limit: MOST_CAMPAIGNS } })).campaigns,
    enabled: agency !== null,
  })
  const context = {
    agencyCode: agency?.code ?? null,
    campaignCodes: ofAgency.filter(({ id }) => campaignId === null || id === campaignId).map(({ code }) => code),
    extensions,
  }
  const example = problems.length === 0 ? describeTemplate(source || null, context).example : ''

  /** At once, so that what is typed next lands there. */
  function select(start: number, end: number) {
    input.current?.focus()
    input.current?.setSelectionRange(start, end)
  }

  /** The new text, and what of it is selected then. */
  function change(text: string, start: number, end: number) {
    flushSync(() => onChange(text))
    select(start, end)
  }

  /** Puts a token where the caret is, with what keeps it apart from its neighbours. */
  function insert({ name }: Token) {
    const start = input.current?.selectionStart ?? value.length
    const before = value.slice(0, start)
    const after = value.slice(input.current?.selectionEnd ?? start)
    const lead = name === 'ext' ? (before.endsWith('.') ? '' : '.') : before.endsWith('}') ? '_' : ''
    const text = `${lead}{${name}}${after.startsWith('{') ? '_' : ''}`
    change(before + text + after, start + text.length, start + text.length)
  }

  function makeOptional() {
    const start = input.current?.selectionStart ?? value.length
    const end = input.current?.selectionEnd ?? start
    change(`${value.slice(0, start)}[${value.slice(start, end)}]${value.slice(end)}`, start + 1, end + 1)
  }

  function show({ index, length }: TemplateProblem) {
    const offset = value.length - value.trimStart().length
    select(offset + index, offset + index + length)
  }

  return (
    <div className="flex flex-col gap-5">
      <Field
        label="Naming template"
        name="naming_template"
        optional
        error={error}
        hint="Fixed text and {tokens}; square brackets enclose what may be left out. Empty: any portable name."
      >
        <Input
          ref={input}
          value={value}
          onValueChange={onChange}
          onBlur={onBlur}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          className="font-mono"
          placeholder="{agency}_{campaign}_{title}_{width}x{height}[_{language}]_v{version}.{ext}"
          maxLength={200}
        />
      </Field>
      <section aria-label="How the template is read" className="-mt-2 rounded-lg bg-sunken px-4 py-3">
        <p aria-live="polite" className="sr-only">
          {problems.length > 0 && `${problems.length} to fix in the template`}
        </p>
        {problems.length > 0 && (
          <>
            <TemplateFaults source={source} problems={problems} />
            <ul className="mt-2 flex flex-col gap-1.5 text-sm">
              {problems.map((problem) => (
                <li key={`${problem.index} ${problem.message}`} className="flex items-start justify-between gap-3">
                  <span className="min-w-0 text-fail-ink wrap-anywhere">{problem.message}</span>
                  <Button size="sm" variant="ghost" onClick={() => show(problem)}>
                    Show place
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )}
        {parsed?.ok && <TemplateChips template={parsed.template} />}
        {problems.length === 0 && (
          <p className={parsed ? 'mt-2.5 text-sm' : 'text-sm'}>
            <span className="text-ink-muted">
              {parsed ? 'For example ' : 'Any portable name is right, for example '}
            </span>
            <code className="font-mono wrap-anywhere">{example}</code>
          </p>
        )}
      </section>
      <TokenPalette source={source} insert={insert} makeOptional={makeOptional} />
      <div className="flex flex-col gap-4 border-t border-line pt-5">
        <div>
          <h3 className="text-sm font-semibold">Try names</h3>
          <p className="text-sm text-ink-muted">
            Evaluated as an upload would be. Choose whose codes count; in a batch they are those of its project.
          </p>
        </div>
        <div className="grid gap-4 sm:grid-cols-2 lg:max-w-2xl">
          <Field label="As the agency">
            <RemoteCombobox
              source={AGENCIES}
              chosen={first}
              value={agency?.id ?? null}
              onValueChange={(id, choice) => {
                setAgency(id === null ? null : { id, code: choice?.description ?? '' })
                setCampaignId(null)
              }}
              placeholder="Any agency"
              clearable
            />
          </Field>
          <Field label="For the campaign">
            <Combobox
              options={ofAgency.map(({ id, name, code }) => ({ value: id, label: name, description: code }))}
              value={campaignId}
              onValueChange={setCampaignId}
              placeholder="Any campaign"
              emptyText="This agency has no campaigns"
              clearable
            />
          </Field>
        </div>
        {problems.length > 0 ? (
          <p className="text-sm text-ink-muted">Fix the template first; then names can be tried against it.</p>
        ) : (
          <NameTrial template={source || null} example={example} context={context} />
        )}
      </div>
    </div>
  )
}

function TokenPalette({
  source,
  insert,
  makeOptional,
}: {
  source: string
  insert: (token: Token) => void
  makeOptional: () => void
}) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">Put in a token</legend>
      <div className="grid gap-1.5 max-sm:grid-cols-2 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]">
        {Object.values(TOKENS).map((token) => (
          <button
            key={token.name}
            type="button"
            // A token can stand in a template once.
            disabled={source.includes(`{${token.name}}`)}
            onClick={() => insert(token)}
            className="flex min-w-0 flex-col rounded-md border border-line bg-surface px-2.5 py-1.5 text-left hover:border-line-strong hover:bg-hover disabled:border-dashed disabled:bg-transparent disabled:hover:border-line"
          >
            <span className="flex items-baseline justify-between gap-2">
              <span className="text-sm font-medium">{token.label}</span>
              <code className="truncate font-mono text-xs text-ink-subtle max-sm:hidden">{`{${token.name}}`}</code>
            </span>
            <span className="text-xs text-ink-muted max-sm:hidden">
              {token.accepts}, such as <code className="font-mono">{token.example(ANY_CODES)}</code>
            </span>
          </button>
        ))}
        <button
          type="button"
          onClick={makeOptional}
          className="flex min-w-0 flex-col rounded-md border border-line bg-surface px-2.5 py-1.5 text-left hover:border-line-strong hover:bg-hover"
        >
          <span className="flex items-baseline justify-between gap-2">
            <span className="text-sm font-medium">Optional part</span>
            <Brackets aria-hidden="true" className="size-3.5 text-ink-subtle max-sm:hidden" />
          </span>
          <span className="text-xs text-ink-muted max-sm:hidden">
            brackets around what is selected: may be left out
          </span>
        </button>
      </div>
    </fieldset>
  )
}
