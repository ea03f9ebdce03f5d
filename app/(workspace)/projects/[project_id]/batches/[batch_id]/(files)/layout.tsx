import type { ReactNode } from 'react'
import { BatchScreenCode } from '@/components/batches/batch-screen'

/** The browser learns of the code of the files with the frame, before the page itself is read from the database. */
export default function FilesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <BatchScreenCode />
      {children}
    </>
  )
}
