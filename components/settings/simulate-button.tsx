'use client'

import { FlaskConical, MoveRight } from 'lucide-react'
import Link from 'next/link'
import { useState, useTransition } from 'react'
import { ResultBadge } from '@/components/pre-qc/result-badge'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/callout'
import { Dialog, DialogBody, DialogClose, DialogFooter } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import type { Simulation } from '@/lib/domain/pre-qc/simulate'
import { formatCount, formatNumber } from '@/lib/format'
import { LABELS, RESULT_SUMMARIES } from '@/lib/vocabulary'
import type { ChecksSettings } from './category-values'

export type Simulate = (input: {
  checks: ChecksSettings
  last: number
  on?: string
}) => Promise<Simulation | { refused: string }>

const LAST = 100

/** Which of the last files would change their verdict under the checks as they stand in the form. Nothing is saved. */
export function SimulateButton({ simulate, checks }: { simulate: Simulate; checks: ChecksSettings }) {
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<Simulation | { refused: string } | null>(null)
  const [isPending, start] = useTransition()
  const lastDay = Object.values(checks)
    .flatMap(({ fails_from }) => fails_from ?? [])
    .sort()
    .at(-1)

  function run(on?: string) {
    setOpen(true)
    setResult(null)
    start(async () => {
      const unreachable = { refused: 'Greenroom could not be reached. Check your connection, then try again.' }
      setResult(await simulate({ checks, last: LAST, ...(on && { on }) }).catch(() => unreachable))
    })
  }

  return (
    <>
      <Button onClick={() => run()} loading={isPending && !isOpen}>
        <FlaskConical />
        Try on the last files
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="With these checks"
        description={`Evaluated anew from what was measured of the last ${LAST} files. Nothing is saved, and no result changes.`}
      >
        <DialogBody>
          {result === null ? (
            <div role="status" aria-label="Trying the checks" className="flex flex-col gap-3">
              <Skeleton className="h-16 w-full" />
              <Skeleton className="h-5 w-3/4" />
              <Skeleton className="h-5 w-2/3" />
            </div>
          ) : 'refused' in result ? (
            <Callout tone="fail">{result.refused}</Callout>
          ) : (
            <Outcome simulation={result} />
          )}
        </DialogBody>
        <DialogFooter>
          {lastDay && (
            <Button variant="ghost" className="mr-auto" disabled={isPending} onClick={() => run(lastDay)}>
              As of {lastDay}, when every announced rule holds
            </Button>
          )}
          <DialogClose>
            <Button variant="secondary">Close</Button>
          </DialogClose>
        </DialogFooter>
      </Dialog>
    </>
  )
}

function Outcome({ simulation }: { simulation: Simulation }) {
  const { files, unmeasured, before, after, changes } = simulation
  if (files === 0) {
    return (
      <p className="text-sm text-ink-muted">
        No file of this category has measurements yet. They are kept from its next check on.
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-base font-medium">
        {changes.length === 0
          ? `None of ${formatCount(files, 'file')} would change its verdict.`
          : `${changes.length} of ${formatCount(files, 'file')} would change ${changes.length === 1 ? 'its verdict' : 'their verdicts'}.`}
      </p>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
        {RESULT_SUMMARIES.map((summary) => (
          <div key={summary} className="bg-raised px-3 py-2">
            <dt className="text-xs text-ink-subtle">{LABELS.resultSummary[summary]}</dt>
            <dd className="flex items-center gap-1.5 text-lg font-semibold tabular-nums">
              {formatNumber(before[summary])}
              <MoveRight aria-label="would become" className="size-3.5 text-ink-subtle" />
              {formatNumber(after[summary])}
            </dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto border-y border-line">
          {changes.map(({ file, before, after, checks }) => (
            <li key={file.id} className="flex flex-col gap-0.5 py-2 text-sm">
              <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                <Link
                  href={`/projects/${file.project_id}/batches/${file.batch_id}#file=${file.id}`}
                  target="_blank"
                  className="link min-w-0 wrap-anywhere"
                >
                  {file.name}
                </Link>
                <span className="inline-flex items-center gap-2">
                  <ResultBadge quiet result={{ status: 'completed', summary: before }} />
                  <MoveRight aria-label="would become" className="size-3.5 text-ink-subtle" />
                  <ResultBadge quiet result={{ status: 'completed', summary: after }} />
                </span>
              </span>
              <span className="text-ink-muted">
                {checks
                  .map(({ label, after }) => `${label}: ${after ? LABELS.checkStatus[after].toLowerCase() : 'off'}`)
                  .join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {unmeasured > 0 && (
        <p className="text-sm text-ink-muted">
          {formatCount(unmeasured, 'file')} checked before measurements were kept {unmeasured === 1 ? 'is' : 'are'} left
          out. Run {unmeasured === 1 ? 'it' : 'them'} again to have {unmeasured === 1 ? 'it' : 'them'} counted.
        </p>
      )}
    </div>
  )
}
