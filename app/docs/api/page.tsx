import type { Metadata } from 'next'
import { Conventions } from '@/components/docs/conventions'
import { DocsFrame } from '@/components/docs/docs-frame'
import { Inline } from '@/components/docs/inline'
import { MethodWord, OperationCard } from '@/components/docs/operation-card'
import { SchemaFields } from '@/components/docs/schema-fields'
import { openApiDocument } from '@/lib/http/openapi'
import { service } from '@/lib/service'

export const metadata: Metadata = { title: 'Interface' }
// The address in the examples is that of the running service, not of the build.
export const dynamic = 'force-dynamic'

/** The reference of /api, made from the same document that programs read at /api/openapi.json. */
export default function ReferencePage() {
  const { baseUrl } = service().ports
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
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => a.localeCompare(b))

  return (
    <DocsFrame current="/docs/api" contents={<Contents sections={sections} />}>
      <h1 className="text-2xl font-semibold sm:text-3xl">Interface</h1>
      <p className="mt-2 max-w-prose text-lg text-ink-muted">
        Projects, batches, uploads, links, reviews and Pre-QC for programs: what the screens do, with the same rules.
        Made from the definitions that check every request.
      </p>
      <Conventions baseUrl={baseUrl} />
      {sections.map(({ id, name, description, operations }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="mt-14">
          <h2 id={`${id}-title`} className="text-xl font-semibold">
            {name}
          </h2>
          <p className="mt-1 mb-5 max-w-prose text-base text-ink-muted">
            <Inline text={description} />
          </p>
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
      <section id="schemas" className="mt-14">
        <h2 className="text-xl font-semibold">Responses in detail</h2>
        <p className="mt-1 mb-5 max-w-prose text-base text-ink-muted">
          Responses may gain fields over time; ignore those you do not know.
        </p>
        <div className="gap-5 xl:columns-2">
          {schemas.map(([name, schema]) => (
            <article
              key={name}
              id={`schema-${name}`}
              className="mb-5 break-inside-avoid-column rounded-xl border border-line bg-surface px-5 py-4 target:border-accent-line target:ring-3 target:ring-accent-soft"
            >
              <h3 className="mb-1 text-base font-semibold">{name}</h3>
              <SchemaFields schema={schema} />
            </article>
          ))}
        </div>
      </section>
    </DocsFrame>
  )
}

type Listed = {
  id: string
  name: string
  operations: { path: string; method: string; operation: { operationId: string } }[]
}

function Contents({ sections }: { sections: Listed[] }) {
  return (
    <nav aria-label="Operations" className="text-sm">
      <ul className="mb-5 flex flex-col">
        <li>
          <a href="#begin" className="block py-0.5 text-ink-muted hover:text-ink">
            Begin
          </a>
        </li>
        <li>
          <a href="#conventions" className="block py-0.5 text-ink-muted hover:text-ink">
            Conventions
          </a>
        </li>
      </ul>
      {sections.map(({ id, name, operations }) => (
        <div key={id} className="mb-4">
          <a href={`#${id}`} className="block py-0.5 font-medium text-ink hover:text-accent-ink">
            {name}
          </a>
          <ul>
            {operations.map(({ method, operation }) => (
              <li key={operation.operationId}>
                <a
                  href={`#${operation.operationId}`}
                  className="flex items-baseline justify-between gap-2 py-0.5 text-ink-muted hover:text-ink"
                >
                  <span className="min-w-0 truncate">{asWords(operation.operationId)}</span>
                  <MethodWord method={method} />
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <a href="#schemas" className="block py-0.5 font-medium text-ink hover:text-accent-ink">
        Responses in detail
      </a>
    </nav>
  )
}

/** `createUploadLink` -> `Create upload link`. */
const asWords = (name: string) => {
  const words = name.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
