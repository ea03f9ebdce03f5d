'use client'

import { useState } from 'react'
import { countsOf } from '@/lib/client/uploader/receipt'
import { useReceipt } from '@/lib/client/uploader/use-receipt'
import { useLoaded } from '@/lib/client/use-loaded'

/** The receipt that this browser stored, under a link that takes nothing more. */
export function StoredReceipt({ token }: { token: string }) {
  const { book, receipt } = useReceipt(token)
  return receipt && book ? (
    <div className="mt-8">
      <ShownReceipt receipt={receipt} isStored={book.isStored} onForget={() => book.clear()} />
    </div>
  ) : null
}

type Props = Parameters<typeof import('./receipt')['Receipt']>[0]

/** A receipt, as soon as what draws it is there. */
export function ShownReceipt(props: Props) {
  const loaded = useLoaded(() => import('./receipt'), true)
  return loaded ? <loaded.Receipt {...props} /> : null
}

/** A receipt that stands folded under something else; what is not viewed is not drawn. */
export function FoldedReceipt(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const { accepted, refused } = countsOf(props.receipt.lines)
  return (
    <details
      className="rounded-xl border border-line bg-surface"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer rounded-xl px-4 py-3 text-sm font-semibold print:hidden">
        Your receipt: {accepted} delivered{refused > 0 && `, ${refused} not taken`}
      </summary>
      {isOpen && (
        <div className="px-2 pb-2 sm:px-4 sm:pb-4">
          <ShownReceipt {...props} />
        </div>
      )}
    </details>
  )
}
