import { Callout } from '@/components/ui/callout'
import { CopyButton } from '@/components/ui/copy-button'
import { DescriptionList } from '@/components/ui/description-list'
import { DateTime } from '@/components/ui/relative-time'
import type { File } from '@/lib/domain/files/schema'
import { ruleWords } from '@/lib/domain/retention/rules'
import { formatBytes } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { factsOf } from './facts'

/** What the file is and where it came from. `hasMeasures`: its size and dimensions too, where no heading says them. */
export function FileDetails({ file, hasMeasures = false }: { file: File; hasMeasures?: boolean }) {
  const { source } = file
  const from = source.type === 'upload_link' ? `Upload link “${source.name || 'without a label'}”` : source.name
  return (
    <DescriptionList
      items={[
        { label: 'Type', value: `${LABELS.mediaKind[file.media.kind]} (${file.media_type})` },
        ...(hasMeasures ? [{ label: 'Measures', value: [...factsOf(file), formatBytes(file.size)].join(', ') }] : []),
        { label: 'Received', value: <DateTime value={file.created_at} /> },
        { label: 'From', value: from },
        ...(file.removed
          ? [
              {
                label: 'Removed',
                value: (
                  <>
                    <DateTime value={file.removed.at} />, {ruleWords(file.removed)}
                  </>
                ),
              },
            ]
          : []),
        {
          label: 'SHA-256',
          value: (
            <span className="flex items-start gap-2">
              <code className="min-w-0 font-mono text-xs wrap-anywhere">{file.sha256}</code>
              <CopyButton text={file.sha256} label="Copy SHA-256" />
            </span>
          ),
        },
      ]}
    />
  )
}

/** Says that the file is in quarantine. */
export function QuarantineNotice() {
  return (
    <Callout tone="fail" title="In quarantine">
      The file failed its integrity check after it was received and cannot be approved. Reject it, so that the agency
      sends a new export.
    </Callout>
  )
}
