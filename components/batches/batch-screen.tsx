'use client'

import { FileBrowser } from '@/components/files/file-browser'
import type { FilePowers } from '@/components/files/file-panel'
import { useLive } from '@/lib/client/use-live'
import type { Batch } from '@/lib/domain/batches/schema'
import type { Expectations } from '@/lib/domain/files/rules'
import type { File } from '@/lib/domain/files/schema'
import type { PreQcResult } from '@/lib/domain/pre-qc/schema'

/** What a new file is judged by, as plain data for the browser. */
export type UploadExpectations = Omit<Expectations, 'manifest'> & { manifest: string[]; extensions: string[] }

/** The files of a batch, live, and the place to add more. */
export function BatchScreen({
  batch,
  files,
  results,
  powers,
}: {
  batch: Batch
  files: readonly File[]
  results: readonly PreQcResult[]
  powers: FilePowers
  expectations: UploadExpectations | null
}) {
  useLive({ batchId: batch.id })
  return <FileBrowser files={files} results={results} powers={powers} />
}
