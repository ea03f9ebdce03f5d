import type { Metadata } from 'next'
import { DocsFrame } from '@/components/docs/docs-frame'
import { Inline } from '@/components/docs/inline'
import { CodeBlock } from '@/components/ui/code-block'
import { invalidField } from '@/lib/domain/kernel/errors'
import type { ProblemCode } from '@/lib/http/http-error'
import { PROBLEMS, problemOf } from '@/lib/http/problem'
import { REMEDIES } from '@/lib/http/remedies'
import { service } from '@/lib/service'

export const metadata: Metadata = { title: 'Errors' }
// The example shows the address of the running service, not of the build.
export const dynamic = 'force-dynamic'

/** The page every problem document points to: one place a code, by status. */
export default function ErrorsPage() {
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b)
  const groups = statuses.map((status) => ({ status, codes: codes.filter((code) => PROBLEMS[code].status === status) }))
  const example = problemOf(
    invalidField('name', 'too_small', 'name must not be empty.'),
    '01976a3e-5c2f-7d10-9b4e-3f8a2c6d7e10',
    service().ports.baseUrl,
  )
  return (
    <DocsFrame
      current="/docs/errors"
      contents={
        <nav aria-label="Codes" className="text-sm">
          {groups.map(({ status, codes }) => (
            <div key={status} className="mb-3 grid grid-cols-[2.5rem_minmax(0,1fr)]">
              <a href={`#http-${status}`} className="py-0.5 font-medium tabular-nums hover:text-accent-ink">
                {status}
              </a>
              <ul>
                {codes.map((code) => (
                  <li key={code}>
                    <a href={`#${code}`} className="block truncate py-0.5 text-ink-muted hover:text-ink">
                      {code}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      }
    >
      <h1 className="text-2xl font-semibold sm:text-3xl">Errors</h1>
      <p className="mt-2 max-w-prose text-lg text-ink-muted">
        <Inline text="Every failure is a problem document (RFC 9457). Programs go by `code`, which never changes; `detail` and the messages are for people." />
      </p>
      <CodeBlock code={JSON.stringify(example, null, 2)} label="A problem document" className="mt-5 max-w-3xl" />
      {groups.map(({ status, codes }) => (
        <section key={status} id={`http-${status}`} aria-labelledby={`http-${status}-title`} className="mt-10">
          <h2 id={`http-${status}-title`} className="text-xl font-semibold tabular-nums">
            {status}
          </h2>
          <div className="mt-2 divide-y divide-line border-y border-line">
            {codes.map((code) => (
              <article
                key={code}
                id={code}
                className="grid gap-x-6 gap-y-1 py-3.5 target:-mx-3 target:rounded-lg target:bg-accent-soft target:px-3 md:grid-cols-[15rem_minmax(0,1fr)]"
              >
                <h3 className="text-sm font-medium">
                  <code>{code}</code>
                </h3>
                <div>
                  <p className="text-base font-medium">{PROBLEMS[code].title}</p>
                  <p className="mt-0.5 max-w-prose text-base text-ink-muted">
                    <Inline text={REMEDIES[code]} />
                  </p>
                </div>
              </article>
            ))}
          </div>
        </section>
      ))}
    </DocsFrame>
  )
}
