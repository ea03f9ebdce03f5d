'use client'

import { useSyncExternalStore } from 'react'
import type { UploadQueue } from './queue'
import { totalsOf } from './upload-item'

/** Files on their way to a batch, for as long as this tab is open. */
export type BatchUploads = { batch: { id: string; projectId: string; name: string }; queue: UploadQueue }

const all = new Map<string, BatchUploads>()
const onScreen = new Set<string>()
const listeners = new Set<() => void>()
const NONE: readonly BatchUploads[] = []
let elsewhere = NONE

function change() {
  elsewhere = [...all.values()].filter(({ batch, queue }) => !onScreen.has(batch.id) && queue.items.length > 0)
  for (const listener of [...listeners]) listener()
}

/** The uploads to a batch that were begun in this tab. */
export const uploadsTo = (batchId: string): BatchUploads | undefined => all.get(batchId)

/** The page of the batch is on screen. */
export function showUploads(uploads: BatchUploads) {
  all.set(uploads.batch.id, uploads)
  onScreen.add(uploads.batch.id)
  change()
}

/** The page of the batch was left: what is on its way goes on, what needs the user stays. */
export function leaveUploads({ batch, queue }: BatchUploads) {
  onScreen.delete(batch.id)
  const { running, failed, refused } = totalsOf(queue.items)
  if (running + failed + refused === 0) all.delete(batch.id)
  change()
}

/** Takes those off the list where nothing is on its way any more. */
export function forgetDone() {
  for (const { batch, queue } of elsewhere) if (totalsOf(queue.items).running === 0) all.delete(batch.id)
  change()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Uploads to batches whose pages are not on screen. */
export const useUploadsElsewhere = (): readonly BatchUploads[] =>
  useSyncExternalStore(
    subscribe,
    () => elsewhere,
    () => NONE,
  )
