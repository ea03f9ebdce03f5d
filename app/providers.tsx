'use client'

import dynamic from 'next/dynamic'
import { usePathname, useSelectedLayoutSegment } from 'next/navigation'
import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'
import { ConnectionBar } from '@/components/layout/connection-bar'
import { Announcer } from '@/components/ui/announcer'
import { ErrorState } from '@/components/ui/error-state'
import { LinkButton } from '@/components/ui/link-button'
import { useSettled } from '@/lib/client/settled'

const Toaster = dynamic(() => import('@/components/ui/toaster').then((module) => module.Toaster), { ssr: false })

/** In the review room the buttons that decide are at the lower right: nothing may cover them. */
function Toasts() {
  const isRoom = usePathname().endsWith('/review')
  const isSettled = useSettled()
  // The upload page says everything in its own lines, and is to be light.
  if (useSelectedLayoutSegment() === 'u' || !isSettled) return null
  return isRoom ? <Toaster position="bottom-left" liftedBy="8.5rem" /> : <Toaster />
}

/** What every page may count on, the lightest too: colour scheme, the state of the connection, toasts, announcements. Screens have more. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" nonce={nonce} defaultTheme="system" enableSystem enableColorScheme={false}>
      <ConnectionBar />
      {children}
      <Toasts />
      <Announcer />
    </ThemeProvider>
  )
}

// Nearly every page has them, for its error boundary at the least: here they are loaded once, not again with each part.
Providers.shared = [ErrorState, LinkButton]
