'use client'

import dynamic from 'next/dynamic'
import { useUploadsElsewhere } from '@/lib/client/uploader/uploads-elsewhere'

const UploadTray = dynamic(() => import('./upload-tray').then((module) => module.UploadTray), { ssr: false })

/** Uploads to batches whose pages were left, on every other page. `isRoom`: where nothing else is in that corner. */
export function UploadTrayHost({ isRoom = false }: { isRoom?: boolean }) {
  const uploads = useUploadsElsewhere()
  return uploads.length > 0 && <UploadTray uploads={uploads} isRoom={isRoom} />
}
