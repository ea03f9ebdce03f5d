'use client'

import dynamic from 'next/dynamic'
import type { ComponentProps } from 'react'
import { useOnceTrue } from '@/lib/client/use-once-true'
import type { EditBatchDialog as Dialog } from './edit-batch-dialog'

const EditBatchDialog = dynamic(() => import('./edit-batch-dialog').then((module) => module.EditBatchDialog), {
  loading: () => null,
})

/** The form of a batch; its code is fetched when it is opened. */
export function EditBatch(props: ComponentProps<typeof Dialog>) {
  const wasOpen = useOnceTrue(props.open)
  return wasOpen && <EditBatchDialog {...props} />
}
