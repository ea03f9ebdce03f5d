'use client'

import { ScreenError } from '@/components/layout/screen-error'

/** Faults outside the shell, and of the shell itself. */
export default function OuterError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="flex min-h-dvh flex-col">
      <ScreenError {...props} />
    </main>
  )
}
