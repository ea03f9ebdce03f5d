'use client'

import type { Uploader } from '@/lib/client/uploader/use-uploader'
import type { Naming } from '@/lib/domain/naming/next-version'
import { validateName } from '@/lib/domain/naming/validate-name'
import { UploadList } from './upload-list'

/** Uploads to a batch; its code, the rules of names among it, is fetched after that of the page. */
export const BatchUploadList = ({ uploader, naming }: { uploader: Uploader; naming: Naming | null }) => (
  <UploadList uploader={uploader} explain={(name) => naming && validateName({ ...naming, name })} />
)
