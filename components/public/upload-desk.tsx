'use client'

import { CircleCheck, FileUp } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useMemo, useRef, useState } from 'react'
import { FileName } from '@/components/files/file-name'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { FileDrop } from '@/components/ui/file-drop'
import { DateTime } from '@/components/ui/relative-time'
import { UploadList } from '@/components/uploads/upload-list'
import { api } from '@/lib/client/api'
import { formatBytes, formatCount } from '@/lib/client/format'
import { refreshSoon } from '@/lib/client/refresh'
import { expectationsOfLink, judgeUpload } from '@/lib/client/uploader/judge'
import { useUploader } from '@/lib/client/uploader/use-uploader'
import { nameKey } from '@/lib/domain/naming/portable-name'
import type { PublicUploadLink } from '@/lib/domain/upload-links/schema'
import { LABELS } from '@/lib/vocabulary'
import { RejectedFile } from './rejected-file'

/** Where the files go: drop or choose, watch each verdict, say when it is all. */
export function UploadDesk({ token, link }: { token: string; link: PublicUploadLink }) {
  const router = useRouter()
  const [receiptAt, setReceiptAt] = useState<string | null>(null)
  const path = `/api/public/upload-links/${token}` as const
  const expected = link.expected_files
  const expectations = useMemo(() => expectationsOfLink(link), [link])
  const uploader = useUploader({
    endpoint: `${path}/files`,
    tusEndpoint: `${path}/tus`,
    judge: (file) => judgeUpload(expectations, file),
    prepare: () => api(`${path}/session`, { method: 'POST' }).then(() => undefined),
    onStored: () => refreshSoon(router),
  })
  const stored = uploader.items.filter((item) => item.state === 'stored')
  const add = (files: readonly File[]) => {
    setReceiptAt(null)
    uploader.add(files)
  }
  const finish = async () => {
    await api(`${path}/session`, { method: 'DELETE' }).catch(() => undefined)
    setReceiptAt(new Date().toISOString())
  }
  if (receiptAt) {
    const text = [
      `Delivered ${receiptAt} for ${link.project.name}, ${link.batch.name}`,
      ...stored.map((item) => `${item.file.name}  ${item.file.size} bytes  SHA-256 ${item.sha256}`),
    ].join('\n')
    return (
      <section aria-label="Receipt" className="rounded-xl border border-pass-line bg-surface p-6">
        <p className="flex items-center gap-2 text-lg font-semibold">
          <CircleCheck aria-hidden="true" className="size-5 text-pass-ink" />
          Thank you. {formatCount(stored.length, 'file')} delivered.
        </p>
        <p className="mt-1 text-sm text-ink-muted">
          <DateTime value={receiptAt} />. This list is your receipt: each line names the file and the fingerprint of its
          bytes.
        </p>
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {stored.map((item) => (
            <li key={item.id} className="py-2 text-sm">
              <span className="font-medium wrap-anywhere">{item.file.name}</span>{' '}
              <span className="text-ink-subtle">{formatBytes(item.file.size)}</span>
              <code className="block font-mono text-xs text-ink-subtle wrap-anywhere">{item.sha256}</code>
            </li>
          ))}
        </ul>
        <div className="mt-4 flex flex-wrap gap-2 print:hidden">
          <CopyButton text={text} label="Copy the receipt" showLabel variant="secondary" size="md" />
          <Button onClick={() => window.print()}>Print</Button>
          {link.status === 'active' && (
            <Button variant="ghost" onClick={() => setReceiptAt(null)}>
              Add more files
            </Button>
          )}
        </div>
      </section>
    )
  }
  return (
    <section aria-label="Add files" className="flex flex-col gap-4">
      {expected && <ExpectedFiles link={link} add={add} storedNames={stored.map((item) => nameKey(item.file.name))} />}
      <FileDrop
        onFiles={(dropped) => add(dropped.map(({ file }) => file))}
        hint="Names are checked before anything is sent. You see a verdict for every file."
        size={uploader.items.length > 0 || expected ? 'md' : 'lg'}
      />
      <UploadList uploader={uploader} />
      {stored.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-sm text-ink-muted">You can close this page at any time; what is accepted is delivered.</p>
          <Button variant="primary" size="lg" disabled={uploader.totals.running > 0} onClick={finish}>
            Done
          </Button>
        </div>
      )}
    </section>
  )
}

/** What is awaited, one place for each: rejected files with what to mend, or what is missing of the list. */
function ExpectedFiles({
  link,
  add,
  storedNames,
}: {
  link: PublicUploadLink
  add: (files: readonly File[]) => void
  storedNames: readonly string[]
}) {
  const picker = useRef<HTMLInputElement>(null)
  const isResupply = link.batch.status === 'awaiting_resupply'
  const files = link.expected_files ?? []
  if (files.length === 0) {
    const held = link.manifest ? ` All ${link.manifest.expected} files of the list are here.` : ''
    return <p className="text-base text-ink-muted">Everything that was expected has arrived.{held}</p>
  }
  return (
    <div>
      <h2 className="text-xl font-semibold">{isResupply ? 'Please send new versions of these' : 'Still expected'}</h2>
      <p className="mt-1 mb-3 text-base text-ink-muted">
        {isResupply
          ? 'Send each under the name given here. Everything else is approved and stays as it is.'
          : link.manifest
            ? `${link.manifest.received} of ${link.manifest.expected} have arrived. Send the others under these names.`
            : 'Send them under these names.'}
      </p>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label="Choose files"
        onChange={(event) => {
          add(Array.from(event.currentTarget.files ?? []))
          event.currentTarget.value = ''
        }}
      />
      <ul className="divide-y divide-line rounded-xl border border-line bg-surface">
        {files.map((file) => {
          const rejected = link.rejected_files?.find(({ name }) => name === file.name)
          return (
            <li key={file.name} className="flex flex-col gap-3 px-4 py-4">
              <div className="flex items-start gap-3">
                <div className="min-w-0 flex-1">
                  <p className="text-base font-medium wrap-anywhere">
                    <FileName name={file.name} />
                  </p>
                  {file.suggested_name !== file.name && (
                    <p className="text-sm text-ink-muted">
                      Send it as <span className="font-mono wrap-anywhere">{file.suggested_name}</span>
                    </p>
                  )}
                  {rejected?.code && (
                    <p className="text-sm font-medium text-fail-ink">{LABELS.rejectionReason[rejected.code]}</p>
                  )}
                  {file.reason && (
                    <p className="text-sm text-ink-muted wrap-anywhere whitespace-pre-wrap">{file.reason}</p>
                  )}
                </div>
                {storedNames.includes(nameKey(file.name)) ? (
                  <span className="text-sm text-pass-ink">Received</span>
                ) : (
                  <Button
                    size="sm"
                    onClick={() => picker.current?.click()}
                    aria-label={`Choose the file for ${file.name}`}
                  >
                    <FileUp />
                    Choose
                  </Button>
                )}
              </div>
              {rejected && <RejectedFile file={rejected} />}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
