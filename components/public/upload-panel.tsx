'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FileDrop, PageDrop } from '@/components/ui/file-drop'
import { api } from '@/lib/client/api'
import { watchWaysOut } from '@/lib/client/unsaved'
import type { NewFile } from '@/lib/client/uploader/queue'
import { lineOf } from '@/lib/client/uploader/receipt'
import { useReceipt } from '@/lib/client/uploader/use-receipt'
import { useUploader } from '@/lib/client/uploader/use-uploader'
import { useLoaded, useTouched } from '@/lib/client/use-loaded'
import type { ClosedUploadLink, PublicUploadLink } from '@/lib/domain/upload-links/schema'
import { ClosedLink, DeadLink } from './dead-link'
import { ExpectedFiles } from './expected-files'
import { isOpen } from './link-state'
import { FoldedReceipt, ShownReceipt } from './stored-receipt'
import { Terms } from './terms'

const ASK_APART_MS = 2000
const ALL_AT_ONCE = 'all-at-once'

/** Where the files go: drop or choose, watch each verdict, say when it is all. */
export function UploadPanel({
  token,
  link: first,
  takes,
  isDirect,
}: {
  token: string
  link: PublicUploadLink
  takes: string
  /** Whether files go to the storage itself. */
  isDirect: boolean
}) {
  const path = `/api/public/upload-links/${token}` as const
  const params = { token }
  const { link, closed, ask, askSoon } = useLink(params, first)
  const { book, receipt } = useReceipt(token)
  const [isFinished, setFinished] = useState(false)
  const [isFinishing, setFinishing] = useState(false)
  const drop = useRef<HTMLDivElement>(null)
  const subject = `${link.project.name}, ${link.batch.name}`
  const uploader = useUploader({
    endpoint: `${path}/files`,
    tusEndpoint: `${path}/tus`,
    directEndpoint: isDirect ? `${path}/uploads` : null,
    validate: async () => {
      const { expectationsOfLink, validateBy } = await import('@/lib/client/uploader/validate')
      return validateBy(expectationsOfLink(link))
    },
    prepare: () => api('POST /api/public/upload-links/{token}/session', { params }),
    onVerdict: (item) => {
      book?.put(lineOf(item, new Date().toISOString()), subject)
      if (item.state !== 'misnamed') askSoon()
    },
    // The link or its batch may be what takes no more.
    onFailed: askSoon,
    onDropped: (item) => book?.dropUnsent(item.id),
  })
  useEffect(() => watchWaysOut(async () => window.confirm('Files are still on their way. Leave all the same?')), [])
  // A person is here. Nothing depends on it: the sender's trail says that the link was opened.
  useEffect(() => {
    api('POST /api/public/upload-links/{token}/opened', { params: { token } }).catch(() => undefined)
  }, [token])
  const hasItems = uploader.items.length > 0
  const isTouched = useTouched()
  const list = useLoaded(() => import('./upload-rows'), isTouched || hasItems)
  const isUsable = isOpen(link) && !closed
  const add = (files: readonly NewFile[]) => {
    setFinished(false)
    uploader.add(files)
  }
  const finish = async () => {
    if (isFinishing) return
    setFinishing(true)
    await api('DELETE /api/public/upload-links/{token}/session', { params }).catch(() => undefined)
    uploader.endVisit()
    book?.finish(new Date().toISOString())
    setFinishing(false)
    setFinished(true)
    void ask()
  }
  const receiptProps = receipt && book && { receipt, isStored: book.isStored, onForget: () => book.clear() }

  if (isFinished && receiptProps) {
    return (
      <ShownReceipt {...receiptProps} takesFocus>
        {isUsable && (
          <Button variant="ghost" onClick={() => setFinished(false)}>
            Add more files
          </Button>
        )}
      </ShownReceipt>
    )
  }
  return (
    <PageDrop target={subject} onFiles={add} disabled={!isUsable}>
      <div className="flex flex-col gap-8">
        {isUsable ? (
          <Terms link={link} takes={takes} />
        ) : closed ? (
          <ClosedLink link={closed} />
        ) : (
          <DeadLink link={link} />
        )}
        <section aria-label="Add files" className="flex flex-col gap-4">
          {isUsable && link.expected_files && (
            <ExpectedFiles
              link={link}
              token={token}
              uploader={uploader}
              add={add}
              allAtOnce={ALL_AT_ONCE}
              onAccepted={ask}
            />
          )}
          {isUsable && (
            <div ref={drop} id={ALL_AT_ONCE} className="print:hidden">
              <FileDrop
                onFiles={add}
                hint="Names are checked before anything is sent. You see a verdict for every file."
                size={hasItems || link.expected_files ? 'md' : 'lg'}
              />
            </div>
          )}
          {list && (
            <list.UploadRows
              uploader={uploader}
              link={link}
              mayRetry={isUsable}
              onEmptied={() => drop.current?.querySelector('button')?.focus()}
            />
          )}
          {uploader.totals.stored > 0 && isUsable && (
            <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
              <p className="text-sm text-ink-muted">
                You can close this page at any time; what is accepted is delivered.
              </p>
              <Button
                variant="primary"
                size="lg"
                loading={isFinishing}
                disabled={uploader.totals.running > 0}
                onClick={finish}
              >
                Done
              </Button>
            </div>
          )}
          {receiptProps && <FoldedReceipt {...receiptProps} />}
        </section>
      </div>
    </PageDrop>
  )
}

/**
 * What the link says of itself, asked anew after each verdict, each file that did not arrive, and when the page is looked at
 * again. A request that fails changes nothing on the page: the list and what travels stay as they are.
 */
function useLink(params: { token: string }, first: PublicUploadLink) {
  const [link, setLink] = useState(first)
  /** Set when the link expired, was switched off or was used up since the page was opened. */
  const [closed, setClosed] = useState<ClosedUploadLink | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ask = async () => {
    clearTimeout(timer.current)
    timer.current = undefined
    const latest = await api('GET /api/public/upload-links/{token}', { params }).catch(() => null)
    if (!latest) return
    if (!('password_required' in latest)) setClosed(latest)
    else if (!latest.password_required) {
      setClosed(null)
      setLink(latest)
    }
  }
  const askSoon = () => {
    timer.current ??= setTimeout(ask, ASK_APART_MS)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it asks for never changes
  useEffect(() => {
    const look = () => document.hidden || askSoon()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearTimeout(timer.current)
    }
  }, [])
  return { link, closed, ask, askSoon }
}
