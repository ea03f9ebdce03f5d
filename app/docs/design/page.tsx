import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Pages, States } from '@/components/docs/design/content'
import { Buttons, Fields } from '@/components/docs/design/controls'
import { InFront } from '@/components/docs/design/in-front'
import { Tokens } from '@/components/docs/design/tokens'
import { DocsFrame } from '@/components/docs/docs-frame'
import { LinkButton } from '@/components/ui/link-button'
import { env } from '@/lib/env'

export const metadata: Metadata = { title: 'Design' }

const GROUPS = [
  { id: 'tokens', title: 'Tokens' },
  { id: 'buttons', title: 'Buttons' },
  { id: 'fields', title: 'Fields' },
  { id: 'states', title: 'States' },
  { id: 'in-front', title: 'In front' },
  { id: 'pages', title: 'Pages and lists' },
]

/**
 * Every part of `components/ui` as it looks: in development, and where the demo workspace is. Colours turn with the scheme
 * of the browser, forced colours with its setting; `?dir=rtl` shows it from right to left.
 */
export default async function DesignPage({ searchParams }: { searchParams: Promise<{ dir?: string }> }) {
  if (process.env.NODE_ENV === 'production' && !env.DEMO) notFound()
  const isRightToLeft = (await searchParams).dir === 'rtl'
  return (
    <div dir={isRightToLeft ? 'rtl' : 'ltr'}>
      <DocsFrame
        current="/docs/design"
        contents={
          <nav aria-label="Parts" className="text-sm">
            <ul>
              {GROUPS.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} className="block py-0.5 text-ink-muted hover:text-ink">
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        }
      >
        <h1 className="text-2xl font-semibold sm:text-3xl">Design</h1>
        <p className="mt-2 max-w-prose text-lg text-ink-muted">
          The parts that screens are made of. When to take which: docs/design.md.
        </p>
        <div className="mt-4">
          <LinkButton href={isRightToLeft ? '/docs/design' : '/docs/design?dir=rtl'}>
            {isRightToLeft ? 'Show from left to right' : 'Show from right to left'}
          </LinkButton>
        </div>
        <Tokens />
        <Buttons />
        <Fields />
        <States />
        <InFront />
        <Pages />
      </DocsFrame>
    </div>
  )
}
