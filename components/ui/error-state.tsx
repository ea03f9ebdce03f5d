'use client'

import { CloudAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button'
import { cn } from './cn'
import { CopyTextButton } from './copy-text-button'

/** A part of the page that could not be loaded: what happened, how to go on, and what to send to support. */
export function ErrorState({
  title = 'This could not be loaded',
  children,
  requestId,
  onRetry,
  retrying = false,
  action,
  framed = true,
  className,
}: {
  title?: ReactNode
  children?: ReactNode
  requestId?: string | null
  onRetry?: () => void
  retrying?: boolean
  action?: ReactNode
  framed?: boolean
  className?: string
}) {
  return (
    <div
      role="alert"
      className={cn(
        'flex flex-col items-center justify-center px-6 py-12 text-center',
        framed && 'rounded-xl border border-line bg-surface',
        className,
      )}
    >
      <div
        aria-hidden="true"
        className="mb-3.5 grid size-10 place-items-center rounded-xl border border-fail-line bg-fail-soft text-fail-ink [&_svg]:size-5"
      >
        <CloudAlert />
      </div>
      <div className="text-base font-semibold text-ink">{title}</div>
      <div className="mt-1 max-w-md text-sm text-balance text-ink-muted wrap-anywhere">
        {children ?? 'Greenroom had a fault while responding. Nothing is lost.'}
      </div>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {onRetry && (
          <Button onClick={onRetry} loading={retrying}>
            <RotateCw />
            Try again
          </Button>
        )}
        {action}
      </div>
      {requestId && (
        <p className="mt-4 flex flex-wrap items-center justify-center gap-1 text-xs text-ink-subtle">
          Reference <code className="text-ink-muted wrap-anywhere">{requestId}</code>
          <CopyTextButton text={requestId} name="Copy reference" variant="ghost" />
        </p>
      )}
    </div>
  )
}
