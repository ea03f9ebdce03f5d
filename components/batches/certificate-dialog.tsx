'use client'

import { CopyField } from '@/components/ui/code-block'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { AnchorButton } from '@/components/ui/link-button'

/** A certificate that was issued: its files, and where anybody verifies it. */
export function CertificateDialog({
  path,
  issued,
  close,
}: {
  /** Of the certificate, as JSON. */
  path: string
  issued: { statement: { id: string; verification_url: string }; key_id: string }
  close: () => void
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Certificate of approval"
      description="Names every approved file by its SHA-256, and is signed. Anyone with a file can ask whether it is the one."
    >
      <DialogBody className="flex flex-col gap-4">
        <div className="flex flex-wrap gap-2">
          <AnchorButton href={`${path}/pdf`} variant="primary">
            Download PDF
          </AnchorButton>
          <AnchorButton href={path} download={`certificate-${issued.statement.id}.json`}>
            Download JSON
          </AnchorButton>
        </div>
        <CopyField value={issued.statement.verification_url} label="address of the verification page" />
        <p className="text-sm text-ink-muted">
          Signed by key <code className="font-mono text-xs">{issued.key_id}</code>. On a command line:{' '}
          <code className="font-mono text-xs">npm run verify -- certificate.json file</code>
        </p>
      </DialogBody>
    </Dialog>
  )
}
