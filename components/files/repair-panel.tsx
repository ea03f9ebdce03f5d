'use client'

import { Check, Download, MoveRight, Wrench, X } from 'lucide-react'
import { CHECK_TONES } from '@/components/pre-qc/result-badge'
import { keys } from '@/components/review/room-queries'
import { Badge, StatusText } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { AnchorButton } from '@/components/ui/link-button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Spinner } from '@/components/ui/spinner'
import { apiRequest } from '@/lib/client/api'
import { ownPath } from '@/lib/client/own-path'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { File } from '@/lib/domain/files/schema'
import type { FileRepair, Repair } from '@/lib/domain/repairs/schema'
import { formatBytes } from '@/lib/format'
import { LABELS } from '@/lib/vocabulary'
import { ComparedImage } from './compared-image'
import { isUnderWay, repairKey, useFileRepair } from './repair-query'

type Powers = { projectId: string; mayPropose: boolean; mayDecide: boolean }

/** What a machine can fix of a file, and the repaired copy that waits for a decision. */
export function RepairPanel({ file, resultId, powers }: { file: File; resultId: string | null; powers: Powers }) {
  const params = { project_id: powers.projectId, batch_id: file.batch_id, file_id: file.id }
  const { data, isError, refetch } = useFileRepair(params, resultId)
  const invalidate = [repairKey(file.id), keys.seen(file.id)]
  const propose = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair', { params, body: {} }),
    invalidate,
    success: 'A repaired copy is being made',
  })
  if (!data)
    return isError ? (
      <Callout
        tone="fail"
        title="What could be repaired is not known"
        actions={
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      >
        Greenroom did not respond.
      </Callout>
    ) : null
  const { repair, possible } = data
  const isOpen = repair !== null && (isUnderWay(repair) || repair.status === 'proposed')
  const mayAsk = !isOpen && possible?.changes !== null && possible !== null
  if (!repair && !mayAsk && !possible?.left.length) return null
  return (
    <section aria-labelledby={`repair-${file.id}`} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <h3 id={`repair-${file.id}`} className="text-base font-semibold">
          Repair
        </h3>
        {repair && <StatusText tone={TONES[repair.status]}>{LABELS.repairStatus[repair.status]}</StatusText>}
        {mayAsk && powers.mayPropose && (
          <Button size="sm" className="ml-auto" loading={propose.isPending} onClick={() => propose.mutate()}>
            <Wrench />
            Make a repaired copy
          </Button>
        )}
      </div>
      {repair && <Copy repair={repair} file={file} powers={powers} />}
      {mayAsk && <Possible possible={possible} />}
      {!isOpen && possible && possible.left.length > 0 && (
        <ul className="flex flex-col gap-1 text-sm text-ink-muted">
          {possible.left.map(({ check_id, label, why }) => (
            <li key={check_id} className="wrap-anywhere">
              <span className="font-medium text-ink">{label}:</span> {why}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const TONES = {
  queued: 'info',
  running: 'info',
  proposed: 'warn',
  failed: 'fail',
  accepted: 'pass',
  refused: 'neutral',
} as const

function Possible({ possible: { changes, fixes } }: { possible: NonNullable<FileRepair['possible']> }) {
  return (
    <p className="text-sm text-ink-muted wrap-anywhere">
      {changes} Fixes {fixes.map(({ label }) => label).join(', ')}. The copy is checked like the file, and becomes its
      next version only when a coordinator takes it, or the agency where the file was rejected.
    </p>
  )
}

function Copy({ repair, file, powers }: { repair: Repair; file: File; powers: Powers }) {
  if (isUnderWay(repair))
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-ink-muted">
        <Spinner />
        The copy is being made and checked.
      </p>
    )
  if (repair.status === 'failed')
    return (
      <Callout tone="fail" title="There is no repaired copy">
        {repair.failure}
      </Callout>
    )
  return (
    <div className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <p className="text-sm wrap-anywhere">{repair.changes}</p>
      {repair.destination && (
        <p className="text-sm text-ink-muted wrap-anywhere">Made for {repair.destination.title}.</p>
      )}
      {repair.name !== file.name && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <span className="break-all">{file.name}</span>
          <MoveRight aria-label="becomes" className="size-4 shrink-0 text-ink-subtle" />
          <span className="font-medium break-all">{repair.name}</span>
        </p>
      )}
      {repair.preview_url && file.preview_url && (
        <div className="grid grid-cols-2 gap-3">
          <ComparedImage label="The file" src={ownPath(file.preview_url)} />
          <ComparedImage label="The repaired copy" src={ownPath(repair.preview_url)} />
        </div>
      )}
      <ul className="divide-y divide-line border-y border-line">
        {repair.checks.map(({ check_id, label, before, after }) => (
          <li key={check_id} className="flex flex-col gap-1 py-2 text-sm">
            <span className="flex flex-wrap items-center gap-2">
              <span className="mr-auto font-medium">{label}</span>
              {before && <StatusText tone={CHECK_TONES[before.status]}>{LABELS.checkStatus[before.status]}</StatusText>}
              <MoveRight aria-label="becomes" className="size-4 text-ink-subtle" />
              {after && <StatusText tone={CHECK_TONES[after.status]}>{LABELS.checkStatus[after.status]}</StatusText>}
            </span>
            {after && <span className="text-ink-muted wrap-anywhere">{after.details}</span>}
          </li>
        ))}
      </ul>
      {repair.parts.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-ink-muted">
            {untouchedWords(repair.parts)}
            {repair.size !== null && ` ${formatBytes(repair.size)}, the file has ${formatBytes(file.size)}.`}
          </summary>
          <ul className="mt-2 flex flex-col gap-1">
            {repair.parts.map(({ name, sha256, is_untouched }) => (
              <li key={name} className="flex flex-wrap items-center gap-2">
                <span className="break-all">{name}</span>
                <Badge tone={is_untouched ? 'pass' : 'info'}>{is_untouched ? 'The very same' : 'Changed'}</Badge>
                <code className="text-xs text-ink-subtle">{sha256.slice(0, 16)}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      {repair.status === 'proposed' ? (
        <Decide repair={repair} powers={powers} />
      ) : (
        <p className="text-sm text-ink-muted">
          {LABELS.repairStatus[repair.status]} by {repair.decided_by?.name ?? 'the agency'}
          {repair.decided_at && (
            <>
              , <RelativeTime value={repair.decided_at} />
            </>
          )}
          {repair.comment && `: ${repair.comment}`}
        </p>
      )}
    </div>
  )
}

function untouchedWords(parts: Repair['parts']): string {
  const same = parts.filter(({ is_untouched }) => is_untouched).length
  if (same === parts.length) return 'All that it holds is the very same as in the file.'
  if (parts.length === 1) return 'The one part that it holds was changed.'
  return `${same} of ${parts.length} parts are the very same as in the file.`
}

function Decide({ repair, powers }: { repair: Repair; powers: Powers }) {
  const params = { project_id: powers.projectId, batch_id: repair.batch_id, file_id: repair.file_id }
  const invalidate = [repairKey(repair.file_id), keys.seen(repair.file_id)]
  const accept = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/accept', { params }),
    invalidate,
    success: `${repair.name} is the next version`,
  })
  const refuse = useApiMutation({
    request: () =>
      apiRequest('POST /api/projects/{project_id}/batches/{batch_id}/files/{file_id}/repair/refuse', {
        params,
        body: {},
      }),
    invalidate,
    success: 'The repaired copy is refused',
  })
  return (
    <div className="flex flex-wrap gap-2">
      {repair.download_url && (
        <AnchorButton href={ownPath(repair.download_url)} download variant="ghost" size="sm">
          <Download />
          Download
        </AnchorButton>
      )}
      {powers.mayDecide ? (
        <span className="ml-auto flex gap-2">
          <Button size="sm" loading={refuse.isPending} onClick={() => refuse.mutate()}>
            <X />
            Refuse
          </Button>
          <Button size="sm" variant="primary" loading={accept.isPending} onClick={() => accept.mutate()}>
            <Check />
            Take it as the next version
          </Button>
        </span>
      ) : (
        <span className="ml-auto self-center text-sm text-ink-muted">A coordinator decides.</span>
      )}
    </div>
  )
}
