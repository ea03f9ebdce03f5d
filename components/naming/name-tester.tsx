'use client'

import { CircleCheck, CircleX } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { controlSize, controlStyles } from '@/components/ui/control-styles'
import { useLoaded } from '@/lib/client/use-loaded'
import type { NameQuestion } from '@/lib/domain/naming/validate-name'
import { NameParts } from './name-parts'

/** Try a name before choosing the file. Validated in the browser by the very rule the server keeps. */
export function NameTester({
  question,
  example,
  initialName = '',
}: {
  question: Omit<NameQuestion, 'name'>
  example: string | null
  initialName?: string
}) {
  const id = useId()
  const [name, setName] = useState(initialName)
  const [isWanted, setWanted] = useState(initialName !== '')
  const rules = useLoaded(() => import('@/lib/domain/naming/validate-name'), isWanted)
  const verdict = name.trim() === '' ? null : (rules?.validateName({ ...question, name: name.trim() }) ?? null)
  return (
    <div className="flex flex-col gap-2">
      <label htmlFor={id} className="text-sm font-medium">
        Try a name
      </label>
      <input
        id={id}
        value={name}
        onFocus={() => setWanted(true)}
        onChange={(event) => {
          setWanted(true)
          setName(event.currentTarget.value)
        }}
        placeholder={example ?? 'file-name.png'}
        autoComplete="off"
        spellCheck={false}
        className={cn(controlStyles, controlSize.md, 'font-mono')}
        aria-describedby={`${id}-verdict`}
      />
      <div id={`${id}-verdict`} aria-live="polite" className="min-h-6 text-sm">
        {verdict?.accepted && (
          <p className="flex items-center gap-1.5 text-pass-ink">
            <CircleCheck aria-hidden="true" className="size-4" />
            This name is right.
          </p>
        )}
        {verdict && !verdict.accepted && (
          <div className="flex flex-col gap-1.5">
            <p className="flex items-start gap-1.5">
              <CircleX aria-hidden="true" className="mt-1 size-4 shrink-0 text-fail-ink" />
              <NameParts verdict={verdict} />
            </p>
            <ul className="ml-5.5 list-disc pl-3 text-ink-muted">
              {verdict.violations.map((violation) => (
                <li key={`${violation.code} ${violation.message}`}>{violation.message}</li>
              ))}
            </ul>
            {verdict.suggestion && (
              <div className="ml-5.5">
                <Button
                  size="sm"
                  variant="soft"
                  className="h-auto min-h-7 max-w-full py-1 text-left whitespace-normal pointer-coarse:h-auto pointer-coarse:min-h-9"
                  onClick={() => setName(verdict.suggestion ?? '')}
                >
                  <span className="min-w-0">
                    Use <span className="font-mono wrap-anywhere">{verdict.suggestion}</span>
                  </span>
                </Button>
              </div>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
