'use client'

import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { DialogButton } from '@/components/forms/dialog-button'
import { useOpenByAddress } from '@/lib/client/use-open-by-address'
import type { NewBatch } from './batch-dialog'

const load = () => import('./batch-dialog').then((module) => module.BatchDialog)
const BatchDialog = dynamic(load, { ssr: false })
const BatchTableDialog = dynamic(() => import('./batch-table-dialog').then((module) => module.BatchTableDialog), {
  loading: () => null,
})

/** Opens the form for a new batch, which leads to the one for many. */
export function NewBatchButton(props: NewBatch) {
  const [isOpen, setOpen] = useOpenByAddress('new')
  const [isTable, setTable] = useState(false)
  const startTable = () => {
    setOpen(false)
    setTable(true)
  }
  return (
    <>
      <DialogButton
        variant="primary"
        opening={[isOpen, setOpen]}
        load={load}
        dialog={<BatchDialog {...props} opening={[isOpen, setOpen]} startTable={startTable} />}
      >
        <Plus />
        New batch
      </DialogButton>
      {isTable && <BatchTableDialog {...props} close={() => setTable(false)} />}
    </>
  )
}
