import type { Metadata } from 'next'
import { PublicFrame, PublicTitle } from '@/components/layout/public-frame'
import type { ErrorCode } from '@/lib/domain/kernel/errors'
import { PROBLEMS } from '@/lib/http/problem'
import { REMEDIES } from '@/lib/http/remedies'

export const metadata: Metadata = { title: 'Errors' }

/** The page every problem document points to: one place a code. */
export default function ErrorsPage() {
  const codes = Object.keys(PROBLEMS) as ErrorCode[]
  return (
    <PublicFrame footer="Greenroom’s interface">
      <PublicTitle eyebrow="Interface" title="Errors">
        Every failure is a problem document (RFC 9457) with a stable code. This is what each means, and how to go on.
      </PublicTitle>
      <div className="divide-y divide-line border-y border-line">
        {codes.map((code) => (
          <section key={code} id={code} className="scroll-mt-4 py-4 target:bg-accent-soft">
            <h2 className="flex flex-wrap items-baseline gap-x-3 text-base font-semibold">
              <code className="font-mono">{code}</code>
              <span className="text-sm font-normal text-ink-muted tabular-nums">
                {PROBLEMS[code].status} · {PROBLEMS[code].title}
              </span>
            </h2>
            <p className="mt-1 max-w-prose text-base text-ink-muted">{REMEDIES[code]}</p>
          </section>
        ))}
      </div>
    </PublicFrame>
  )
}
