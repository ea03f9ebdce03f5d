'use client'

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { pause, reportNoResponse } from '../connection'
import { useUnsavedGuard } from '../use-unsaved-guard'
import {
  type NewFile,
  networkProblem,
  type QueueOptions,
  type Sending,
  totalsOf,
  type UploadItem,
  UploadQueue,
} from './queue'
import { RESUMABLE_FROM_BYTES, sendResumable, sendWhole } from './send'

export type UploaderOptions = Pick<QueueOptions, 'validate' | 'prepare' | 'onVerdict' | 'onDropped'> & {
  /** Takes one multipart request. */
  endpoint: string
  /** Takes large files by resumable uploads (tus). */
  tusEndpoint: string
  /** Takes files to the storage itself; null where they come through the service. */
  directEndpoint: string | null
}

/** Uploads with progress, verdicts and retries; leaving the page while files travel is asked about first. */
export function useUploader({ endpoint, tusEndpoint, directEndpoint, ...options }: UploaderOptions) {
  const [items, setItems] = useState<readonly UploadItem[]>([])
  const queue = useRef<UploadQueue>(undefined)
  const isUnreachable = useRef(false)
  const sendThrough = (sending: Sending) =>
    sending.item.file.size >= RESUMABLE_FROM_BYTES ? sendResumable(tusEndpoint, sending) : sendWhole(endpoint, sending)
  const now: QueueOptions = {
    ...options,
    pause,
    async send(sending) {
      if (directEndpoint === null || isUnreachable.current) return sendThrough(sending)
      const { sendDirect, StorageUnreachable } = await import('./send-direct').catch(() => {
        throw networkProblem()
      })
      try {
        return await sendDirect(directEndpoint, sending)
      } catch (error) {
        if (!(error instanceof StorageUnreachable)) throw error
        isUnreachable.current = true
        return sendThrough(sending)
      }
    },
    onChange: () => setItems(queue.current?.items ?? []),
  }
  // From the first render on: a file may be chosen before the first effect has run.
  queue.current ??= new UploadQueue(now)
  const current = queue.current
  useEffect(() => {
    current.options = now
  })
  const totals = useMemo(() => totalsOf(items), [items])
  useUnsavedGuard(totals.running > 0)
  const isWaiting = totals.retrying > 0
  useEffect(() => {
    if (isWaiting) reportNoResponse()
  }, [isWaiting])
  useEffect(() => {
    const interrupt = () => current.interrupt()
    window.addEventListener('offline', interrupt)
    return () => window.removeEventListener('offline', interrupt)
  }, [current])
  return {
    items,
    totals,
    leftOut: current.leftOut,
    add: useCallback((files: readonly NewFile[]) => current.add(files), [current]),
    rename: useCallback((id: string, name: string) => current.rename(id, name), [current]),
    renameAll: useCallback(() => current.renameAll(), [current]),
    retry: useCallback((id: string) => current.retry(id), [current]),
    retryAll: useCallback(() => current.retryAll(), [current]),
    cancel: useCallback((id: string) => current.cancel(id), [current]),
    remove: useCallback((id: string) => current.remove(id), [current]),
    endVisit: useCallback(() => current.endVisit(), [current]),
  }
}

export type Uploader = ReturnType<typeof useUploader>
