'use client'

import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { TooltipProvider } from '@/components/ui/tooltip'
import { UnsavedWork } from '@/components/ui/unsaved'
import { createQueryClient } from '@/lib/client/query-client'
import { useUnreadableInput } from '@/lib/client/use-unreadable-input'

let shared: QueryClient | undefined

/** One cache a tab, whichever part of the product is on screen; on the server one a page. */
const queryClientOf = () => {
  if (typeof window === 'undefined') return createQueryClient()
  shared ??= createQueryClient()
  return shared
}

/** What screens count on beyond the root: server-state cache, URL state, tooltips, the question about unsaved work, no day lost that was typed in part. The upload page does without. */
export function ScreenProviders({ children }: { children: ReactNode }) {
  const [queryClient] = useState(queryClientOf)
  useUnreadableInput()
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>
        <TooltipProvider>
          {children}
          <UnsavedWork />
        </TooltipProvider>
      </NuqsAdapter>
    </QueryClientProvider>
  )
}
