'use client'

import { useCallback, useEffect, useRef, useState } from 'react'
import { useUnsavedGuard } from '../use-unsaved-guard'
import { type QueueOptions, totalsOf, type UploadItem, UploadQueue } from './queue'
import { RESUMABLE_FROM_BYTES, sendInPieces, sendWhole } from './send'

export type UploaderOptions = Pick<QueueOptions, 'judge' | 'prepare' | 'onStored'> & {
  /** Takes one multipart request. */
  endpoint: string
  /** Takes large files in pieces (tus). */
  tusEndpoint: string
}

/** Uploads with progress, verdicts and retries; leaving the page while files travel is asked about first. */
export function useUploader({ endpoint, tusEndpoint, judge, prepare, onStored }: UploaderOptions) {
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const queue = useRef<UploadQueue>(undefined)
  queue.current ??= new UploadQueue({ judge, send: () => Promise.reject(new Error('Not ready.')), onChange: () => {} })
  const current = queue.current
  useEffect(() => {
    current.options = {
      judge,
      prepare,
      onStored,
      send: (file, sending) =>
        file.size >= RESUMABLE_FROM_BYTES
          ? sendInPieces(tusEndpoint, file, sending)
          : sendWhole(endpoint, file, sending),
      onChange: () => setItems(current.items),
    }
  })
  const totals = totalsOf(items)
  useUnsavedGuard(totals.running > 0)
  return {
    items,
    totals,
    add: useCallback((files: readonly File[]) => current.add(files), [current]),
    rename: (id: string, name: string) => current.rename(id, name),
    retry: (id: string) => current.retry(id),
    retryAll: () => {
      for (const item of current.items) if (item.state === 'failed') current.retry(item.id)
    },
    cancel: (id: string) => current.cancel(id),
    remove: (id: string) => current.remove(id),
  }
}

export type Uploader = ReturnType<typeof useUploader>
