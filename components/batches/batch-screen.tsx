'use client'

import { FileUp } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { FileBrowser } from '@/components/files/file-browser'
import type { FilePowers } from '@/components/files/powers'
import type { FirstFiles } from '@/components/files/use-file-summaries'
import { Button } from '@/components/ui/button'
import { PageDrop } from '@/components/ui/file-drop'
import { refreshSoon } from '@/lib/client/refresh'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useBatchQueue } from '@/lib/client/uploader/batch-uploads'
import { useQueue } from '@/lib/client/uploader/use-uploader'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import type { Naming } from '@/lib/domain/naming/next-version'

const loadUploads = () => import('@/components/uploads/batch-upload-list').then((module) => module.BatchUploadList)
const BatchUploadList = dynamic(loadUploads, { loading: () => null })

/** Stands in the layout, so that the browser fetches the code of the files together with that of the frame. */
export const BatchScreenCode = () => null

/** The files of a batch, live, and the place to add more: anywhere on the screen. */
export function BatchScreen({
  batch,
  first,
  powers,
  naming,
  isDirect,
}: {
  batch: Batch
  first: FirstFiles
  powers: FilePowers
  /** How new files are named; null where none are taken. */
  naming: Naming | null
  /** Whether files go to the storage itself. */
  isDirect: boolean
}) {
  const router = useRouter()
  const picker = useRef<HTMLInputElement>(null)
  const uploader = useQueue(
    useBatchQueue({ id: batch.id, projectId: batch.project_id, name: batch.name }, isDirect),
    true,
  )
  // Before it is needed: files may be chosen while there is no connection.
  useEffect(() => {
    if (naming) void loadUploads().catch(() => {})
  }, [naming])
  const { stored } = uploader.totals
  useEffect(() => {
    if (stored > 0) refreshSoon(router)
  }, [stored, router])
  const pick = () => picker.current?.click()
  useLive({ batchId: batch.id })
  useShortcuts([{ keys: 'u', label: 'Upload files', group: 'Files', run: pick }], naming !== null)

  const browser = (
    <div className="flex min-w-0 flex-col gap-4">
      {naming && (
        <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
          <p className="text-sm text-ink-muted pointer-coarse:hidden">Drop files here to add them.</p>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-label="Choose files"
            onChange={(event) => {
              uploader.add(Array.from(event.currentTarget.files ?? [], (file) => ({ file })))
              event.currentTarget.value = ''
            }}
          />
          <Button variant="secondary" onClick={pick}>
            <FileUp />
            Upload files
          </Button>
        </div>
      )}
      {(uploader.items.length > 0 || uploader.leftOut > 0) && <BatchUploadList uploader={uploader} naming={naming} />}
      <FileBrowser first={first} count={batch.counts.files} powers={powers} pickFiles={naming ? pick : undefined} />
    </div>
  )
  if (!naming) return browser
  return (
    <PageDrop target={batch.name} onFiles={uploader.add}>
      {browser}
    </PageDrop>
  )
}
