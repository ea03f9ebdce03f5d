'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'

/** An image that is loaded and decoded: it is on screen with the next frame. */
export type LoadedImage = { url: string; width: number; height: number; image: HTMLImageElement }

type Entry = { loaded: LoadedImage | null; failed: boolean; done: Promise<void> }

/** As many decoded images as are cached: those around the one that is viewed. */
const CACHED = 12

const entries = new Map<string, Entry>()
const listeners = new Set<() => void>()

/** Fetches and decodes the image at a path of ours, once; the one asked for last is dropped last. */
export function loadImage(path: string): Promise<void> {
  const known = entries.get(path)
  if (known) {
    entries.delete(path)
    entries.set(path, known)
    return known.done
  }
  const entry: Entry = { loaded: null, failed: false, done: Promise.resolve() }
  entry.done = fetchImage(path)
    .then((loaded) => {
      entry.loaded = loaded
    })
    .catch(() => {
      entry.failed = true
      entries.delete(path)
    })
    .finally(() => {
      for (const listener of listeners) listener()
    })
  entries.set(path, entry)
  dropOldest()
  return entry.done
}

async function fetchImage(path: string): Promise<LoadedImage> {
  const response = await fetch(path, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`The image got ${response.status}.`)
  const url = URL.createObjectURL(await response.blob())
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    return { url, width: image.naturalWidth, height: image.naturalHeight, image }
  } catch (error) {
    URL.revokeObjectURL(url)
    throw error
  }
}

function dropOldest() {
  for (const [path, entry] of entries) {
    if (entries.size <= CACHED) return
    entries.delete(path)
    if (entry.loaded) URL.revokeObjectURL(entry.loaded.url)
    else void entry.done.then(() => entry.loaded && URL.revokeObjectURL(entry.loaded.url))
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The image at a path, at once when it is loaded already; null until it is, or when there is none. */
export function useImage(path: string | null): { image: LoadedImage | null; hasFailed: boolean; retry: () => void } {
  const loaded = useSyncExternalStore(
    subscribe,
    () => (path ? (entries.get(path)?.loaded ?? null) : null),
    () => null,
  )
  const [failedPath, setFailedPath] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once more, a failed one is fetched again
  useEffect(() => {
    if (!path) return
    let isCurrent = true
    void loadImage(path).then(() => {
      if (isCurrent && !entries.get(path)?.loaded) setFailedPath(path)
    })
    return () => {
      isCurrent = false
    }
  }, [path, attempt])
  const retry = () => {
    setFailedPath(null)
    setAttempt(attempt + 1)
  }
  return { image: loaded, hasFailed: path !== null && failedPath === path, retry }
}
