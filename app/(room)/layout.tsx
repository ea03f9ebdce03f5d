import type { ReactNode } from 'react'
import { WorkspaceKeyboard } from '@/components/account/workspace-keyboard'
import { workspaceNav } from '@/components/account/workspace-nav'
import { NeedsSession } from '@/components/layout/connection-bar'
import { ShellStateProvider } from '@/components/layout/shell-state'
import { UploadTrayHost } from '@/components/uploads/upload-tray-host'
import { can } from '@/lib/domain/kernel/permissions'
import { readFrom, requireUser } from '@/lib/http/load'
import { ScreenProviders } from '../screen-providers'

/** Screens over the whole window, without the frame of the workspace; the palette opens there, too. */
export default async function RoomLayout({ children }: { children: ReactNode }) {
  const user = await requireUser()
  return (
    <ScreenProviders>
      <ShellStateProvider>
        <NeedsSession readFrom={await readFrom()} />
        {children}
        <WorkspaceKeyboard
          nav={workspaceNav(user)}
          mayCreate={can(user, 'projects.create')}
          mayManage={can(user, 'users.manage')}
          isRoom
        />
        <UploadTrayHost isRoom />
      </ShellStateProvider>
    </ScreenProviders>
  )
}
