'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { ThemeProvider } from 'next-themes'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { ConnectionBar } from '@/components/layout/connection-bar'
import { Announcer } from '@/components/ui/announcer'
import { Toaster } from '@/components/ui/toaster'
import { TooltipProvider } from '@/components/ui/tooltip'
import { UnsavedWork } from '@/components/ui/unsaved'
import { createQueryClient } from '@/lib/client/query-client'

/** In the review room the buttons that decide are at the lower right: nothing may cover them. */
function Toasts() {
  const isRoom = usePathname().endsWith('/review')
  return isRoom ? <Toaster position="bottom-left" liftedBy="8.5rem" /> : <Toaster />
}

/** What every screen may count on: colour scheme, server-state cache, URL state, tooltips, toasts, announcements. */
export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      enableSystem
      enableColorScheme={false}
      disableTransitionOnChange
    >
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>
          <TooltipProvider>
            <ConnectionBar />
            {children}
            <Toasts />
            <Announcer />
            <UnsavedWork />
          </TooltipProvider>
        </NuqsAdapter>
      </QueryClientProvider>
    </ThemeProvider>
  )
}
