'use client'

import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'

/** The page of a document that is shown, with the ways to others: the one before, the next, and any by its number. */
export function PageTurner({
  page,
  pages,
  inFile,
  setPage,
  hasKeys = false,
}: {
  page: number
  /** That can be shown. */
  pages: number
  /** That there are, where that is known; of a long document not all can be shown. */
  inFile: number | null
  setPage: (page: number) => void
  /** Whether `[` and `]` turn pages too. */
  hasKeys?: boolean
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const go = () => {
    const wanted = Number(typed)
    if (typed && Number.isInteger(wanted)) setPage(Math.min(Math.max(wanted, 1), pages))
    setTyped(null)
  }
  const ofAll = `of ${pages}`
  const more = inFile !== null && inFile > pages ? ` shown; the file has ${inFile}` : ''
  return (
    <>
      <IconButton
        label="Page before"
        {...(hasKeys && { shortcut: '[' })}
        icon={<ChevronLeft />}
        disabled={page <= 1}
        onClick={() => setPage(page - 1)}
      />
      <span role="status" className="sr-only">
        Page {page} {ofAll}
      </span>
      <span className="flex items-center gap-1 px-0.5 text-xs whitespace-nowrap text-ink-muted tabular-nums">
        {pages > 1 ? (
          <Input
            aria-label={`Page, 1 to ${pages}`}
            title="Type the number of a page"
            size="sm"
            inputMode="numeric"
            autoComplete="off"
            className="w-9 px-0.5 text-center text-xs"
            value={typed ?? page}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => event.target.select()}
            onBlur={go}
            onKeyDown={(event) => {
              if (event.key === 'Enter') go()
              // Leaves the field as it was; what the page does by this key is done by the next one.
              if (event.key === 'Escape' && typed !== null) {
                event.stopPropagation()
                setTyped(null)
              }
            }}
          />
        ) : (
          `Page ${page}`
        )}
        <span aria-hidden={pages > 1}>
          {ofAll}
          {more}
        </span>
      </span>
      <IconButton
        label="Next page"
        {...(hasKeys && { shortcut: ']' })}
        icon={<ChevronRight />}
        disabled={page >= pages}
        onClick={() => setPage(page + 1)}
      />
    </>
  )
}
