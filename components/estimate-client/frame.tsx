import type { ReactNode } from 'react'
import { SkipLink } from '@/components/layout/skip-link'
import type { ClientEstimate } from '@/lib/domain/cost-estimates/schema'

/** A letter from the sender of the estimate: their head, their paper. Ours is only the line below it. */
export function ClientFrame({ sender, children }: { sender?: ClientEstimate['sender']; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-sunken print:bg-white">
      <SkipLink />
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-4xl flex-1 outline-none sm:px-6 sm:py-10 print:max-w-none print:p-0"
      >
        <div className="border-line bg-surface px-4 py-8 sm:rounded-xl sm:border sm:px-12 sm:py-12 sm:shadow-xs print:border-0 print:p-0 print:shadow-none">
          {sender && <Letterhead sender={sender} />}
          {children}
        </div>
      </main>
      <footer className="mx-auto w-full max-w-4xl px-4 py-6 text-xs text-ink-subtle sm:px-6 sm:pt-0 print:hidden">
        Sent with Greenroom.{sender && ' This address is yours alone: anyone who has it can decide in your name.'}
      </footer>
    </div>
  )
}

function Letterhead({ sender: { name, address, tax_id, logo } }: { sender: ClientEstimate['sender'] }) {
  if (!name && !logo && !address) return null
  return (
    <header className="mb-10 flex flex-wrap items-start justify-between gap-x-10 gap-y-5 sm:mb-14">
      {logo ? (
        // Logos are drawn for paper: in the dark they keep a piece of it.
        <div className="-mx-1 rounded-md px-1 dark:bg-white dark:px-3 dark:py-2">
          {/* biome-ignore lint/performance/noImgElement: a few kilobytes that are in the page already */}
          <img
            src={logo.startsWith('data:') ? logo : `data:image/png;base64,${logo}`}
            alt={name || 'Logo'}
            className="max-h-12 max-w-52 object-contain object-left"
          />
        </div>
      ) : (
        <p className="text-xl font-semibold wrap-anywhere">{name}</p>
      )}
      <div className="text-xs leading-5 text-ink-muted sm:max-w-xs sm:text-right">
        {logo && name && <p className="font-medium text-ink wrap-anywhere">{name}</p>}
        {address && <p className="whitespace-pre-line wrap-anywhere">{address}</p>}
        {tax_id && <p className="wrap-anywhere">Tax ID {tax_id}</p>}
      </div>
    </header>
  )
}
