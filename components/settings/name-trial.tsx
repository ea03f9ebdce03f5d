'use client'

import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { NameParts } from '@/components/naming/name-parts'
import { NameTester } from '@/components/naming/name-tester'
import { Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/textarea'
import type { NamingContext } from '@/lib/domain/naming/tokens'
import { validateName } from '@/lib/domain/naming/validate-name'

/** More would make typing slow; a folder listing is seldom longer. */
const MOST_NAMES = 200

/** One name while typing, or many at once as copied from a folder listing. */
export function NameTrial({
  template,
  example,
  context,
}: {
  template: string | null
  example: string
  context: NamingContext
}) {
  const [many, setMany] = useState('')
  const given = many
    .split(/\r?\n/)
    .map((name) => name.trim())
    .filter(Boolean)
  const verdicts = given
    .slice(0, MOST_NAMES)
    .map((name) => ({ name, verdict: validateName({ template, name, context }) }))
  const right = verdicts.filter(({ verdict }) => verdict.accepted).length
  return (
    <div className="grid gap-x-8 gap-y-5 lg:grid-cols-2">
      <NameTester question={{ template, context }} example={example} />
      <div className="flex min-w-0 flex-col gap-3">
        <Field label="Try several names" hint="One a line, as copied from a folder.">
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
            <p aria-live="polite" className="text-sm font-medium">
              {right} of {verdicts.length} {verdicts.length === 1 ? 'name is' : 'names are'} right
              {given.length > MOST_NAMES && `; the first ${MOST_NAMES} of ${given.length} were tried`}
            </p>
            <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
              {verdicts.map(({ name, verdict }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand on two lines
                <li key={`${index} ${name}`} className="flex items-start gap-2 px-3 py-1.5 text-sm">
                  {verdict.accepted ? (
                    <CircleCheck role="img" aria-label="Right" className="mt-1 size-4 shrink-0 text-pass-ink" />
                  ) : (
                    <CircleX role="img" aria-label="Wrong" className="mt-1 size-4 shrink-0 text-fail-ink" />
                  )}
                  <span className="min-w-0">
                    <NameParts verdict={verdict} />
                    {verdict.violations.map(({ code, message }) => (
                      <span key={`${code} ${message}`} className="block text-xs text-ink-muted wrap-anywhere">
                        {message}
                      </span>
                    ))}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
