'use client'

import { UploadList } from '@/components/uploads/upload-list'
import type { Uploader } from '@/lib/client/uploader/use-uploader'
import { expectationsOfLink } from '@/lib/client/uploader/validate'
import { validateExpectedName } from '@/lib/domain/files/rules'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'

export { UploadProgress } from '@/components/uploads/upload-row'

/** The list of the upload page: its names are explained by the rule the link gives. */
export function UploadRows({
  uploader,
  link,
  mayRetry,
  onEmptied,
}: {
  uploader: Uploader
  link: PublicUploadLink
  mayRetry: boolean
  onEmptied: () => void
}) {
  const explain = (name: string) => validateExpectedName(expectationsOfLink(link), name)
  return (
    <UploadList uploader={uploader} explain={explain} hasRecords={false} mayRetry={mayRetry} onEmptied={onEmptied} />
  )
}
