'use client'

import { FileUp } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { FileBrowser } from '@/components/files/file-browser'
import type { FilePowers } from '@/components/files/file-panel'
import { Button } from '@/components/ui/button'
import { PageDrop } from '@/components/ui/file-drop'
import { UploadList } from '@/components/uploads/upload-list'
import { refreshSoon } from '@/lib/client/refresh'
import { useShortcuts } from '@/lib/client/shortcuts'
import { useUploader } from '@/lib/client/uploader/use-uploader'
import { validateBy } from '@/lib/client/uploader/validate'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import { type Expectations, validateExpectedName } from '@/lib/domain/files/rules'
import type { File as StoredFile } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'

/** What a new file is validated by, as plain data for the browser. */
export type UploadExpectations = Omit<Expectations, 'manifest'> & { manifest: string[] }

/** The files of a batch, live, and the place to add more: anywhere on the screen. */
export function BatchScreen({
  batch,
  files,
  results,
  powers,
  expectations,
  isDirect,
}: {
  batch: Batch
  files: readonly StoredFile[]
  results: readonly PreQcResult[]
  powers: FilePowers
  expectations: UploadExpectations | null
  /** Whether files go to the storage itself. */
  isDirect: boolean
}) {
  const router = useRouter()
  const picker = useRef<HTMLInputElement>(null)
  const path = `/api/projects/${batch.project_id}/batches/${batch.id}`
  const known = expectations && { ...expectations, manifest: new Set(expectations.manifest) }
  const uploader = useUploader({
    endpoint: `${path}/files`,
    tusEndpoint: `${path}/tus`,
    directEndpoint: isDirect ? `${path}/uploads` : null,
    validate: async () => (known ? validateBy(known) : () => []),
    onVerdict: ({ state }) => {
      if (state === 'stored') refreshSoon(router)
    },
  })
  const explain = (name: string) => known && validateExpectedName(known, name)
  const pick = () => picker.current?.click()
  useLive({ batchId: batch.id })
  useShortcuts([{ keys: 'u', label: 'Upload files', group: 'Files', run: pick }], expectations !== null)

  const browser = (
    <div className="flex min-w-0 flex-col gap-4">
      {expectations && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-ink-muted">Drop files here to add them.</p>
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
      <UploadList uploader={uploader} explain={explain} />
      <FileBrowser files={files} results={results} powers={powers} pickFiles={expectations ? pick : undefined} />
    </div>
  )
  if (!expectations) return browser
  return (
    <PageDrop target={batch.name} onFiles={uploader.add}>
      {browser}
    </PageDrop>
  )
}
