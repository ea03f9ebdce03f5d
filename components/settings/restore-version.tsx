'use client'

import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { MediaCategory } from '@/lib/domain/settings/schema'

/** Makes the checks of an earlier version the newest ones; nothing is lost, it is a version of its own. */
export function RestoreVersion({
  categoryId,
  version,
  settings,
}: {
  categoryId: string
  version: number
  settings: MediaCategory['pre_qc']
}) {
  const restore = useApiMutation({
    request: () =>
      apiRequest('PATCH /api/media-categories/{media_category_id}', {
        params: { media_category_id: categoryId },
        body: { pre_qc: settings },
      }),
    success: `The checks are those of version ${version} again`,
  })
  return (
    <ConfirmDialog
      title={`Use the checks of version ${version}?`}
      confirmLabel="Use these checks"
      onConfirm={() => restore.mutateAsync()}
      trigger={
        <Button size="sm" variant="ghost">
          Use these checks
        </Button>
      }
    >
      They become the newest version. Files that are submitted from now on are checked by them.
    </ConfirmDialog>
  )
}
