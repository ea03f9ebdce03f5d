import { Download } from 'lucide-react'
import { AnchorButton } from '@/components/ui/link-button'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'
import { formatDate } from '@/lib/format'

/** What it is, for whom, and until when; and the same on paper. */
export function Heading({ estimate, pdf }: { estimate: ClientEstimate; pdf: string }) {
  const facts = [
    { label: 'Prepared for', value: estimate.client },
    { label: 'Project', value: estimate.project.name },
    { label: 'Prepared by', value: estimate.contact.name },
    { label: 'Valid until', value: estimate.valid_until ? formatDate(estimate.valid_until) : 'No end date' },
  ]
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="min-w-0 flex-1 basis-72">
          <p className="mb-1.5 text-sm font-medium text-accent-ink">
            Estimate {estimate.number}
            {estimate.revision > 1 && `, revision ${estimate.revision}`}
          </p>
          <h1 dir="auto" className="text-2xl font-semibold text-balance wrap-anywhere sm:text-3xl">
            {estimate.title}
          </h1>
        </div>
        <AnchorButton href={pdf} download>
          <Download aria-hidden="true" /> PDF
        </AnchorButton>
      </div>
      <dl className="mt-7 mb-9 grid grid-cols-2 gap-x-6 gap-y-4 border-y border-line py-5 sm:grid-cols-4">
        {facts.map(({ label, value }) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-ink-subtle">{label}</dt>
            <dd dir="auto" className="text-base wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
