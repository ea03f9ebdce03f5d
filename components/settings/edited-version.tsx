'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { Button } from '@/components/ui/button'

/**
 * The version of a thing that a form was opened with. The page may be refreshed under an open form; what the form
 * shows, and the `If-Match` it sends, stay those of the version somebody began to edit until they ask for the newer one.
 */
export function useEditedVersion(current: string | undefined) {
  const router = useRouter()
  const [version, setVersion] = useState(current)
  const [wantsNewer, setWantsNewer] = useState(false)
  const [isLoading, startLoading] = useTransition()
  if (wantsNewer && current !== version) {
    setVersion(current)
    setWantsNewer(false)
  }
  return {
    version,
    isLoading: isLoading || wantsNewer,
    /** Takes what the page shows now: when the form opens. */
    adopt: () => setVersion(current),
    /** Fetches the page anew and takes what it then shows. */
    loadNewer: () => {
      setWantsNewer(true)
      startLoading(() => router.refresh())
    },
  }
}

/** Stands below the sentence that somebody changed the thing meanwhile (412): the way to go on. */
export function StaleHelp({ isLoading, loadNewer }: { isLoading: boolean; loadNewer: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-warn-line bg-warn-soft px-3.5 py-2.5 text-sm">
      <span className="min-w-0 flex-1 basis-56">
        Nothing was overwritten. Load what it is now; it takes the place of what you typed here.
      </span>
      <Button size="sm" onClick={loadNewer} loading={isLoading}>
        Load what it is now
      </Button>
    </div>
  )
}
