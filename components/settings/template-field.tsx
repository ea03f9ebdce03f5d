'use client'

import { useRef, useState } from 'react'
import { NameParts } from '@/components/naming/name-parts'
import { NameTester } from '@/components/naming/name-tester'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Textarea } from '@/components/ui/textarea'
import { Tooltip } from '@/components/ui/tooltip'
import { describeTemplate } from '@/lib/domain/naming/describe'
import { judgeName } from '@/lib/domain/naming/judge-name'
import { parseTemplate, type Template } from '@/lib/domain/naming/template'
import { type NamingContext, TOKENS } from '@/lib/domain/naming/tokens'

/** Builds a naming template: type it or put it together from its parts, see what it means, try names against it. */
export function TemplateField({
  value,
  onChange,
  context,
  error,
}: {
  value: string
  onChange: (value: string) => void
  context: NamingContext
  error?: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const source = value.trim()
  const parsed = source === '' ? null : parseTemplate(source)
  const template = parsed?.ok ? parsed.template : null
  const problems = parsed && !parsed.ok ? parsed.problems : []

  function insert(text: string) {
    const at = input.current?.selectionStart ?? value.length
    const end = input.current?.selectionEnd ?? at
    onChange(value.slice(0, at) + text + value.slice(end))
    requestAnimationFrame(() => {
      input.current?.focus()
      input.current?.setSelectionRange(at + text.length, at + text.length)
    })
  }

  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Naming template"
        name="naming_template"
        optional
        error={error}
        hint="Square brackets enclose what may be left out. Empty: any portable name."
      >
        <Input
          ref={input}
          value={value}
          onValueChange={onChange}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
          placeholder="{agency}_{campaign}_{title}_{width}x{height}[_{language}]_v{version}.{ext}"
          maxLength={200}
        />
      </Field>
      <fieldset aria-label="Put in a part" className="flex flex-wrap gap-1.5">
        {Object.values(TOKENS).map((token) => (
          <Tooltip key={token.name} label={`${token.label}: ${token.accepts}`}>
            <Button size="sm" variant="secondary" onClick={() => insert(`{${token.name}}`)} className="font-mono">
              {token.name}
            </Button>
          </Tooltip>
        ))}
      </fieldset>
      <div aria-live="polite">
        {problems.length > 0 && (
          <ul className="flex flex-col gap-1 text-sm text-fail-ink">
            {problems.map((problem) => (
              <li key={`${problem.index} ${problem.message}`}>
                <Place source={source} {...problem} /> {problem.message}
              </li>
            ))}
          </ul>
        )}
        {template && <Meaning template={template} source={source} context={context} />}
      </div>
      {(template || source === '') && <Trial template={source || null} context={context} />}
    </div>
  )
}

/** The spot of the template a problem is about. */
const Place = ({ source, index, length }: { source: string; index: number; length: number }) => (
  <code className="font-mono">
    {source.slice(Math.max(0, index - 8), index)}
    <mark className="rounded-sm bg-fail-soft text-fail-ink underline decoration-wavy">
      {source.slice(index, index + Math.max(1, length)) || '␣'}
    </mark>
    {source.slice(index + Math.max(1, length), index + length + 8)}
  </code>
)

function Meaning({ source, context }: { template: Template; source: string; context: NamingContext }) {
  const { example, tokens } = describeTemplate(source, context)
  return (
    <div className="rounded-lg bg-sunken px-4 py-3">
      <p className="text-xs font-medium text-ink-subtle">Such a name is accepted</p>
      <code className="font-mono text-sm wrap-anywhere">{example}</code>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
        {tokens.map((token) => (
          <li key={token.token}>
            <span className={cn('font-mono text-accent-ink', token.optional && 'opacity-100 italic')}>
              {token.token}
            </span>{' '}
            {token.expected}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** One name while typing, or many at once pasted from a folder listing. */
function Trial({ template, context }: { template: string | null; context: NamingContext }) {
  const [many, setMany] = useState('')
  const names = many
    .split(/\r?\n/)
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 200)
  const verdicts = names.map((name) => ({ name, verdict: judgeName({ template, name, context }) }))
  const right = verdicts.filter(({ verdict }) => verdict.accepted).length
  return (
    <div className="grid gap-5 border-t border-line pt-4 lg:grid-cols-2">
      <NameTester key={template} question={{ template, context }} example={null} />
      <div className="flex flex-col gap-2">
        <Field label="Try many names" name="names" hint="One a line.">
          <Textarea
            value={many}
            onChange={(event) => setMany(event.target.value)}
            rows={3}
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        {verdicts.length > 0 && (
          <>
            <p className="text-sm font-medium">
              {right} of {verdicts.length} are right
            </p>
            <ul className="flex max-h-56 flex-col gap-0.5 overflow-y-auto">
              {verdicts.map(({ name, verdict }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand on two lines
                <li key={`${index} ${name}`} className="flex items-baseline gap-2">
                  <span className={cn('w-10 shrink-0 text-xs', verdict.accepted ? 'text-pass-ink' : 'text-fail-ink')}>
                    {verdict.accepted ? 'Right' : 'Wrong'}
                  </span>
                  <NameParts verdict={verdict} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
