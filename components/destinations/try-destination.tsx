'use client'

import { FlaskConical, MoveRight } from 'lucide-react'
import Link from 'next/link'
import type { UseFormReturn } from 'react-hook-form'
import { Badge, StatusText, type Tone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { apiRequest } from '@/lib/client/api'
import { useApiMutation } from '@/lib/client/use-api-mutation'
import type { DestinationTrial } from '@/lib/domain/destinations/schema'
import { formatCount } from '@/lib/format'
import { type DestinationVerdict, LABELS } from '@/lib/vocabulary'

const TONES: Record<DestinationVerdict, Tone> = {
  fits: 'pass',
  fits_after_repair: 'warn',
  does_not_fit: 'fail',
  unknown: 'warn',
}

/** What importing the document of a form would change, before it is imported; its mistakes are shown by the form. */
export function TryDestination({ form }: { form: UseFormReturn<{ document: string }> }) {
  const attempt = useApiMutation({
    request: (document: string) => apiRequest('POST /api/destinations/dry-run', { body: { document } }),
    form,
    refresh: false,
  })
  const document = form.watch('document')
  return (
    <div className="flex flex-col gap-3">
      <Button
        className="self-start"
        loading={attempt.isPending}
        disabled={!document}
        onClick={() => {
          form.clearErrors()
          attempt.mutate(document)
        }}
      >
        <FlaskConical />
        Try on the last files
      </Button>
      <div role="status">{attempt.data && attempt.variables === document && <Outcome trial={attempt.data} />}</div>
    </div>
  )
}

function Outcome({ trial }: { trial: DestinationTrial }) {
  const { before_version, changes, files, unmeasured, turned } = trial
  if (before_version === null)
    return <Callout tone="info">It is new: no batch names it yet, so that no file would turn.</Callout>
  const differing = (changes?.requirements.length ?? 0) + (changes?.fields.length ?? 0)
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-medium">
        {formatCount(differing, 'change')} from version {before_version}.{' '}
        {files === 0
          ? 'No file that was checked goes there yet, so that none would turn.'
          : turned.length === 0
            ? `None of ${formatCount(files, 'file')} would turn.`
            : `${turned.length} of ${formatCount(files, 'file')} would turn.`}
      </p>
      {turned.length > 0 && (
        <ul className="max-h-64 divide-y divide-line overflow-y-auto border-y border-line">
          {turned.map(({ file, decision, before, after, reasons }) => (
            <li key={file.id} className="flex flex-col gap-0.5 py-2">
              <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <span className="flex min-w-0 flex-wrap items-center gap-2">
                  <Link
                    href={`/projects/${file.project_id}/batches/${file.batch_id}#file=${file.id}`}
                    target="_blank"
                    className="link min-w-0 wrap-anywhere"
                  >
                    {file.name}
                  </Link>
                  {decision === 'approved' && <Badge tone="info">Approved</Badge>}
                </span>
                <span className="inline-flex items-center gap-2">
                  <StatusText tone={TONES[before]}>{LABELS.destinationVerdict[before]}</StatusText>
                  <MoveRight aria-label="would become" className="size-3.5 text-ink-subtle" />
                  <StatusText tone={TONES[after]}>{LABELS.destinationVerdict[after]}</StatusText>
                </span>
              </span>
              {reasons.map(({ label, details, clause }) => (
                <span key={`${label} ${clause}`} className="text-ink-muted wrap-anywhere">
                  {details} ({clause})
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
      {unmeasured > 0 && (
        <p className="text-ink-muted">
          {formatCount(unmeasured, 'file')} checked before measurements were kept {unmeasured === 1 ? 'is' : 'are'} left
          out.
        </p>
      )}
    </div>
  )
}
