import { CheckCheck, Download } from 'lucide-react'
import { useId, useState } from 'react'
import { ComparedImage } from '@/components/files/compared-image'
import { FileName } from '@/components/files/file-name'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { AnchorButton } from '@/components/ui/link-button'
import { ApiProblem, api } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import type { RejectedFile } from '@/lib/domain/upload-links/schema'
import { formatBytes } from '@/lib/format'

/** A copy that a machine repaired: what it changes, both images, and the way to take it instead of sending a new file. */
export function RepairedCopy({
  file,
  copy,
  token,
  onAccepted,
}: {
  file: RejectedFile
  copy: NonNullable<RejectedFile['repaired_copy']>
  token: string
  onAccepted: () => void
}) {
  const title = useId()
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const accept = async () => {
    setSending(true)
    setProblem(null)
    try {
      await api('POST /api/public/upload-links/{token}/files/{file_id}/repair/accept', {
        params: { token, file_id: file.file_id },
        body: { repair_id: copy.id },
      })
      onAccepted()
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error.detail : 'The copy could not be taken. Try again.')
      setSending(false)
    }
  }
  return (
    <section aria-labelledby={title} className="col-span-full flex flex-col gap-3 rounded-lg border border-line p-4">
      <div>
        <h3 id={title} className="text-sm font-semibold">
          A repaired copy is ready
        </h3>
        <p className="mt-0.5 text-sm text-ink-muted wrap-anywhere">
          {copy.changes} {copy.destination && `It was made for ${copy.destination}. `}Use the copy, or send a new
          version of your own.
        </p>
      </div>
      {copy.preview_url && file.picture_url && (
        <div className="grid grid-cols-2 gap-3">
          <ComparedImage label="As it was sent" src={ownPath(file.picture_url)} />
          <ComparedImage label="The repaired copy" src={ownPath(copy.preview_url)} />
        </div>
      )}
      {copy.checks.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm">
          {copy.checks.map(({ label, after }) => (
            <li key={label}>
              <span className="font-medium">{label}: </span>
              <span className="text-ink-muted wrap-anywhere">{after}</span>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <Callout tone="fail" title="The copy was not taken">
          {problem}
        </Callout>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" loading={isSending} onClick={accept}>
          <CheckCheck />
          Use the repaired copy
        </Button>
        <AnchorButton href={ownPath(copy.download_url)} download variant="secondary">
          <Download />
          Download it
        </AnchorButton>
        <span className="min-w-0 text-xs text-ink-subtle">
          <FileName name={copy.name} />, {formatBytes(copy.size)}
        </span>
      </div>
    </section>
  )
}
