import type { ReactNode } from 'react'
import { NeedsSession } from '@/components/layout/connection-bar'
import { ScreenProviders } from '../screen-providers'

/** Screens over the whole window, without the frame of the workspace. */
export default function RoomLayout({ children }: { children: ReactNode }) {
  return (
    <ScreenProviders>
      <NeedsSession />
      {children}
    </ScreenProviders>
  )
}
