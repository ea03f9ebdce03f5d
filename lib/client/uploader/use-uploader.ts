'use client'

import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { pause, reportNoResponse } from '../connection'
import { useUnsavedGuard } from '../use-unsaved-guard'
import { type NewFile, type QueueOptions, UploadQueue } from './queue'
import { type Endpoints, sendBy } from './send-by'
import { totalsOf } from './upload-item'

export type UploaderOptions = Pick<QueueOptions, 'validate' | 'prepare' | 'onVerdict' | 'onFailed' | 'onDropped'> &
  Endpoints

/** Uploads with progress, verdicts and retries; leaving the page while files travel is asked about first. */
export function useUploader({ endpoint, tusEndpoint, directEndpoint, ...options }: UploaderOptions) {
  const send = useMemo(() => sendBy({ endpoint, tusEndpoint, directEndpoint }), [endpoint, tusEndpoint, directEndpoint])
  const queue = useRef<UploadQueue>(undefined)
  const now: QueueOptions = { ...options, pause, send }
  // From the first render on: a file may be chosen before the first effect has run.
  queue.current ??= new UploadQueue(now)
  const current = queue.current
  useEffect(() => {
    current.options = now
  })
  return useQueue(current)
}

/** A queue as a screen shows it. `isOfTab`: it goes on while other pages of the tab are shown. */
export function useQueue(queue: UploadQueue, isOfTab = false) {
  const items = useSyncExternalStore(queue.subscribe, queue.current, queue.current)
  const totals = useMemo(() => totalsOf(items), [items])
  useUnsavedGuard(totals.running > 0, isOfTab)
  const isWaiting = totals.retrying > 0
  useEffect(() => {
    if (isWaiting) reportNoResponse()
  }, [isWaiting])
  useEffect(() => {
    const interrupt = () => queue.interrupt()
    window.addEventListener('offline', interrupt)
    return () => window.removeEventListener('offline', interrupt)
  }, [queue])
  return {
    items,
    totals,
    leftOut: queue.leftOut,
    add: useCallback((files: readonly NewFile[]) => queue.add(files), [queue]),
    rename: useCallback((id: string, name: string) => queue.rename(id, name), [queue]),
    renameAll: useCallback(() => queue.renameAll(), [queue]),
    retry: useCallback((id: string) => queue.retry(id), [queue]),
    retryAll: useCallback(() => queue.retryAll(), [queue]),
    cancel: useCallback((id: string) => queue.cancel(id), [queue]),
    remove: useCallback((id: string) => queue.remove(id), [queue]),
    endVisit: useCallback(() => queue.endVisit(), [queue]),
  }
}

export type Uploader = ReturnType<typeof useQueue>
