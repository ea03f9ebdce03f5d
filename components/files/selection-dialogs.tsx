'use client'

import type { ReactNode } from 'react'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import type { CheckedSelection } from '@/lib/domain/files/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { NamedFew } from './named-few'

/** The questions about many files; loaded when one is asked. */

type Question = { close: () => void; confirm: () => unknown }

/** Some of them cannot be approved: the others are. */
export function ApproveSome({
  count,
  blocked,
  close,
  confirm,
}: Question & { /** Of all. */ count: number; blocked: readonly { id: string; words: string }[] }) {
  const approvable = count - blocked.length
  return (
    <Ask
      title={`Approve ${approvable} of ${count} files?`}
      confirmLabel={`Approve ${formatCount(approvable, 'file')}`}
      tone="primary"
      confirm={confirm}
      close={close}
    >
      <p>Not approved by this:</p>
      <NamedFew items={blocked} />
    </Ask>
  )
}

export function DeleteAll({ files, close, confirm }: Question & { files: readonly { id: string; name: string }[] }) {
  return (
    <Ask
      title={`Delete ${formatCount(files.length, 'file')}?`}
      confirmLabel="Delete for good"
      confirm={confirm}
      close={close}
    >
      <NamedFew items={files.map(({ id, name }) => ({ id, words: name }))} />
      <p className="mt-2">This cannot be undone.</p>
    </Ask>
  )
}

/** Some of them cannot be had: the others are downloaded. */
export function DownloadSome({ checked, close, confirm }: Question & { checked: CheckedSelection }) {
  const { files, left, size } = checked
  return (
    <Ask
      title={`Download ${files.length} of ${files.length + left.length} files?`}
      confirmLabel={`Download ${formatCount(files.length, 'file')}`}
      tone="primary"
      confirm={confirm}
      close={close}
    >
      <p>Left out ({formatBytes(size)} remain):</p>
      <NamedFew items={left.map(({ file, reason }) => ({ id: file.id, words: reason }))} />
    </Ask>
  )
}

function Ask({
  close,
  confirm,
  ...asked
}: Question & { title: string; confirmLabel: string; tone?: 'primary'; children: ReactNode }) {
  return <ConfirmDialog open onOpenChange={(isOpen) => !isOpen && close()} onConfirm={confirm} {...asked} />
}
