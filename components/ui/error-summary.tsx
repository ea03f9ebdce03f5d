'use client'

import { CircleAlert } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'

/**
 * What is wrong with a form, above it, after the user tried to send it: takes the focus, each line leads to its field
 * (the pattern of the GOV.UK design system). `attempt` counts the tries, so that the focus comes back every time.
 */
export function ErrorSummary({
  errors,
  attempt,
  title = 'There is a problem',
}: {
  errors: readonly { path: string; message: string }[]
  attempt: number
  title?: string
}) {
  const ref = useRef<HTMLDivElement>(null)
  const hasErrors = errors.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt moves the focus, also with the same errors
  useEffect(() => {
    if (!hasErrors) return
    // react-hook-form puts the focus into the first field a moment after it set the errors: come after that.
    const timer = setTimeout(() => ref.current?.focus())
    return () => clearTimeout(timer)
  }, [hasErrors, attempt])
  if (!hasErrors) return null
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="rounded-lg border border-fail-line bg-fail-soft px-3.5 py-3 text-sm outline-none focus:ring-2 focus:ring-fail"
    >
      <p className="flex items-center gap-2 font-semibold">
        <CircleAlert aria-hidden="true" className="size-4 text-fail-ink" />
        {title}
      </p>
      <ul className="mt-1 flex flex-col pl-6">
        {errors.map((error) => (
          <li key={`${error.path} ${error.message}`} className="whitespace-pre-line wrap-anywhere">
            {error.path ? (
              <a
                href={`#${error.path}`}
                onClick={(event) => focusField(event, error.path)}
                className="inline-block min-h-6 py-0.5 font-medium text-fail-ink underline decoration-fail-line underline-offset-3 hover:decoration-current"
              >
                {error.message}
              </a>
            ) : (
              <span className="inline-block py-0.5 text-fail-ink">{error.message}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function focusField(event: MouseEvent<HTMLAnchorElement>, path: string) {
  const scope = event.currentTarget.closest('form') ?? document
  const field = scope.querySelector<HTMLElement>(`[name="${CSS.escape(path)}"]`) ?? document.getElementById(path)
  if (!field) return
  event.preventDefault()
  field.focus()
  field.scrollIntoView({ block: 'center' })
}
