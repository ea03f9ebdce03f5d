'use client'

import { CircleCheck, Download, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { FileName } from '@/components/files/file-name'
import { StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { CopyTextButton } from '@/components/ui/copy-text-button'
import { DateTime } from '@/components/ui/plain-time'
import { saveText } from '@/lib/client/save-text'
import {
  countsOf,
  RESULT_WORDS,
  type Receipt as ReceiptData,
  type ReceiptLine,
  receiptAsCsv,
  receiptAsText,
} from '@/lib/client/uploader/receipt'
import { formatBytes, formatCount } from '@/lib/format'

const TONES: Record<ReceiptLine['result'], Tone> = { accepted: 'pass', refused: 'fail', not_sent: 'fail' }
const FIRST = 50

/**
 * What was delivered through this link with this browser, to keep: every verdict, with the fingerprint of what was
 * accepted and the reasons for what was not.
 */
export function Receipt({
  receipt,
  isStored,
  takesFocus = false,
  onForget,
  children,
}: {
  receipt: ReceiptData
  /** Whether this browser keeps it for later. */
  isStored: boolean
  /** Shown in response to a press: the next Enter must not press whatever stands where the button was. */
  takesFocus?: boolean
  onForget: () => void
  /** Further buttons. */
  children?: ReactNode
}) {
  const { lines, subject, finishedAt } = receipt
  const { accepted, refused } = countsOf(lines)
  const [isWhole, setWhole] = useState(false)
  const [isSure, setSure] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    const showAll = () => flushSync(() => setWhole(true))
    window.addEventListener('beforeprint', showAll)
    return () => window.removeEventListener('beforeprint', showAll)
  }, [])
  const shown = isWhole ? lines : lines.slice(0, FIRST)
  const last = finishedAt ?? lines.at(-1)?.at
  return (
    <section aria-label="Receipt" className="rounded-xl border border-pass-line bg-surface p-4 sm:p-6">
      <h2 ref={heading} tabIndex={-1} className="flex items-start gap-2 text-lg font-semibold outline-none">
        <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-pass-ink" />
        <span>
          {finishedAt && 'Thank you. '}
          {formatCount(accepted, 'file')} delivered{refused > 0 && `, ${refused} not taken`}.
        </span>
      </h2>
      <p className="mt-1 text-sm text-ink-muted wrap-anywhere">
        For {subject}
        {last && (
          <>
            , <DateTime value={last} />
          </>
        )}
        . Each line names a file, the fingerprint of its bytes, and why it was not taken if so.{' '}
        {isStored
          ? 'This browser keeps the receipt for 30 days.'
          : 'This browser keeps nothing: copy or save the receipt before you leave.'}
      </p>
      <ul className="mt-4 divide-y divide-line border-y border-line">
        {shown.map((line) => (
          <ReceiptRow key={line.id} line={line} />
        ))}
      </ul>
      {shown.length < lines.length && (
        <Button size="sm" variant="ghost" className="mt-2" onClick={() => setWhole(true)}>
          Show all {lines.length}
        </Button>
      )}
      <div className="mt-4 flex flex-wrap gap-2 print:hidden">
        <CopyTextButton text={() => receiptAsText(receipt)} label="Copy the receipt" size="md" />
        <Button onClick={() => saveText('receipt.csv', 'text/csv;charset=utf-8', receiptAsCsv(lines))}>
          <Download />
          CSV
        </Button>
        <Button onClick={() => window.print()}>
          <Printer />
          Print
        </Button>
        {children}
        <Button variant={isSure ? 'danger-ghost' : 'ghost'} onClick={() => (isSure ? onForget() : setSure(true))}>
          {isSure ? 'Remove it from this browser for good' : 'Remove the receipt'}
        </Button>
      </div>
    </section>
  )
}

function ReceiptRow({ line }: { line: ReceiptLine }) {
  return (
    <li className="py-2 text-sm print:break-inside-avoid">
      <div className="flex items-start gap-3">
        <p className="min-w-0 flex-1 wrap-anywhere">
          {line.folder && <span className="text-ink-subtle">{line.folder}/</span>}
          <span className="font-medium">
            <FileName name={line.name} />
          </span>{' '}
          <span className="whitespace-nowrap text-ink-subtle">
            {formatBytes(line.size)}
            {line.version !== null && line.version > 1 && `, version ${line.version}`}
          </span>
        </p>
        <StatusText tone={TONES[line.result]}>{RESULT_WORDS[line.result]}</StatusText>
      </div>
      {line.sha256 && (
        <p className="font-mono text-xs text-ink-subtle wrap-anywhere">
          <span className="font-sans">SHA-256</span> {line.sha256}
        </p>
      )}
      {line.reasons.map((reason) => (
        <p key={reason} className="text-ink-muted wrap-anywhere">
          {reason}
        </p>
      ))}
    </li>
  )
}
