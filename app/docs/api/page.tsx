import type { Metadata } from 'next'
import Link from 'next/link'
import { OperationCard } from '@/components/docs/operation-card'
import { Logo } from '@/components/ui/logo'
import { openApiDocument } from '@/lib/http/openapi'
import { service } from '@/lib/service'

export const metadata: Metadata = { title: 'Interface' }
// The address in the examples is that of the running service, not of the build.
export const dynamic = 'force-dynamic'

/** The reference of /api, made from the same document that programs read at /api/openapi.json. */
export default function ReferencePage() {
  const { baseUrl } = service().outside
  const document = openApiDocument(baseUrl)
  const sections = document.tags.map((tag) => ({
    ...tag,
    id: tag.name.toLowerCase().replace(/[^a-z]+/g, '-'),
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(tag.name))
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    ),
  }))
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-10 px-4 sm:px-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <aside className="py-6 lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto">
        <Logo />
        <nav aria-label="Sections" className="mt-6 flex flex-wrap gap-x-4 gap-y-1 text-sm lg:flex-col">
          {sections.map(({ id, name }) => (
            <a key={id} href={`#${id}`} className="py-0.5 text-ink-muted hover:text-ink">
              {name}
            </a>
          ))}
          <Link href="/docs/errors" className="py-0.5 text-ink-muted hover:text-ink">
            Errors
          </Link>
        </nav>
      </aside>
      <main id="main" className="min-w-0 py-6 lg:py-10">
        <h1 className="text-3xl font-semibold">Interface</h1>
        <p className="mt-2 max-w-prose text-lg text-ink-muted">{document.info.description}</p>
        <p className="mt-3 text-sm">
          <a href="/api/openapi.json" className="link">
            OpenAPI 3.1 document
          </a>
        </p>
        {sections.map(({ id, name, description, operations }) => (
          <section key={id} id={id} className="mt-12 scroll-mt-6">
            <h2 className="text-2xl font-semibold">{name}</h2>
            <p className="mt-1 mb-5 max-w-prose text-base text-ink-muted">{description}</p>
            <div className="flex flex-col gap-5">
              {operations.map(({ path, method, operation }) => (
                <OperationCard
                  key={operation.operationId}
                  path={path}
                  method={method}
                  operation={operation}
                  baseUrl={baseUrl}
                />
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  )
}
