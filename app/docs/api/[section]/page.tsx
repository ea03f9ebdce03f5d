import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocsFrame } from '@/components/docs/docs-frame'
import { Inline } from '@/components/docs/inline'
import { OperationCard } from '@/components/docs/operation-card'
import { ReferenceContents } from '@/components/docs/reference-contents'
import { reference } from '../reference'

// The address in the examples is that of the running service, not of the build.
export const dynamic = 'force-dynamic'

type Props = { params: Promise<{ section: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { section } = await params
  return { title: reference().sections.find(({ id }) => id === section)?.name ?? 'Interface' }
}

/** The operations of one section of /api. */
export default async function SectionPage({ params }: Props) {
  const { section: asked } = await params
  const { baseUrl, sections } = reference()
  const section = sections.find(({ id }) => id === asked)
  if (!section) notFound()
  return (
    <DocsFrame current="/docs/api" contents={<ReferenceContents sections={sections} current={section.id} />}>
      <h1 className="text-2xl font-semibold sm:text-3xl">{section.name}</h1>
      <p className="mt-2 mb-8 max-w-prose text-base text-ink-muted">
        <Inline text={section.description} />
      </p>
      <div className="flex flex-col gap-5">
        {section.operations.map(({ path, method, operation }) => (
          <OperationCard
            key={operation.operationId}
            path={path}
            method={method}
            operation={operation}
            baseUrl={baseUrl}
          />
        ))}
      </div>
    </DocsFrame>
  )
}
