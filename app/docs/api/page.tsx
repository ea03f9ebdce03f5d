import type { Metadata } from 'next'
import Link from 'next/link'
import { Conventions } from '@/components/docs/conventions'
import { DocsFrame } from '@/components/docs/docs-frame'
import { Inline } from '@/components/docs/inline'
import { OperationLinks, ReferenceContents } from '@/components/docs/reference-contents'
import { reference } from './reference'

export const metadata: Metadata = { title: 'Interface' }
// The address in the examples is that of the running service, not of the build.
export const dynamic = 'force-dynamic'

/** How /api is used, and what it offers: each section has a page of its own. */
export default function InterfacePage() {
  const { baseUrl, sections } = reference()
  return (
    <DocsFrame current="/docs/api" contents={<ReferenceContents sections={sections} />}>
      <h1 className="text-2xl font-semibold sm:text-3xl">Interface</h1>
      <p className="mt-2 max-w-prose text-lg text-ink-muted">
        Projects, batches, uploads, links, reviews and Pre-QC for programs: what the screens do, with the same rules.
        Made from the definitions that check every request.
      </p>
      <Conventions baseUrl={baseUrl} />
      <section id="operations" aria-labelledby="operations-title" className="mt-14">
        <h2 id="operations-title" className="text-xl font-semibold">
          Operations
        </h2>
        <div className="mt-5 gap-5 md:columns-2">
          {sections.map(({ id, name, description, operations }) => (
            <section
              key={id}
              aria-labelledby={`${id}-title`}
              className="mb-5 break-inside-avoid-column rounded-xl border border-line bg-surface px-5 py-4 shadow-xs"
            >
              <h3 id={`${id}-title`} className="text-base font-semibold">
                <Link href={`/docs/api/${id}`} prefetch={false} className="hover:text-accent-ink">
                  {name}
                </Link>
              </h3>
              <p className="mt-1 mb-2 text-sm text-ink-muted">
                <Inline text={description} />
              </p>
              <div className="text-sm">
                <OperationLinks operations={operations} section={`/docs/api/${id}`} />
              </div>
            </section>
          ))}
        </div>
      </section>
    </DocsFrame>
  )
}
