import type { Metadata } from 'next'
import { DocsFrame } from '@/components/docs/docs-frame'
import { ReferenceContents } from '@/components/docs/reference-contents'
import { SchemaFields } from '@/components/docs/schema-fields'
import { reference } from '../reference'

export const metadata: Metadata = { title: 'Responses in detail' }
// Made from what the running service offers, as the other pages of the reference.
export const dynamic = 'force-dynamic'

/** The fields of everything that /api responds with. */
export default function ResponsesPage() {
  const { sections, schemas } = reference()
  return (
    <DocsFrame current="/docs/api" contents={<ReferenceContents sections={sections} current="responses" />}>
      <h1 className="text-2xl font-semibold sm:text-3xl">Responses in detail</h1>
      <p className="mt-2 mb-8 max-w-prose text-base text-ink-muted">
        Responses may gain fields over time; ignore those you do not know.
      </p>
      <div className="gap-5 xl:columns-2">
        {schemas.map(([name, schema]) => (
          <article
            key={name}
            id={`schema-${name}`}
            aria-labelledby={`schema-${name}-title`}
            className="mb-5 break-inside-avoid-column rounded-xl border border-line bg-surface px-5 py-4 target:border-accent-line target:ring-3 target:ring-accent-soft"
          >
            <h2 id={`schema-${name}-title`} className="mb-1 text-base font-semibold">
              {name}
            </h2>
            <SchemaFields schema={schema} />
          </article>
        ))}
      </div>
    </DocsFrame>
  )
}
