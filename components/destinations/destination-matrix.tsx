'use client'

import { CircleCheck, CircleHelp, CircleX, Minus, Wrench } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { Popover } from '@/components/ui/popover'
import type {
  DestinationSummary,
  DestinationMatrix as Matrix,
  RequirementResult,
} from '@/lib/domain/destinations/schema'
import { type DestinationVerdict, LABELS } from '@/lib/vocabulary'
import { RepairFor } from './repair-for'

/** A file of another kind was never meant for the destination: nothing is wrong with it. */
const OTHER_KIND = { icon: <Minus />, className: 'text-ink-subtle', label: 'For other kinds of files' }
function isOtherKind([first, ...others]: readonly RequirementResult[]): boolean {
  return others.length === 0 && first?.check_id === null && first.outcome === 'not_met'
}

const LOOKS: Record<DestinationVerdict, { icon: ReactNode; className: string }> = {
  fits: { icon: <CircleCheck />, className: 'text-pass-ink' },
  fits_after_repair: { icon: <Wrench />, className: 'bg-info-soft text-info-ink' },
  does_not_fit: { icon: <CircleX />, className: 'bg-fail-soft text-fail-ink' },
  unknown: { icon: <CircleHelp />, className: 'bg-warn-soft text-warn-ink' },
}

/** Files against destinations; each verdict opens its reasons. */
export function DestinationMatrix({
  matrix: { destinations, files },
  batch,
  mayRepair,
}: {
  matrix: Matrix
  batch: { project_id: string; batch_id: string }
  mayRepair: boolean
}) {
  const batchHref = `/projects/${batch.project_id}/batches/${batch.batch_id}`
  return (
    <>
      <Legend />
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Files and destinations"
        className="overflow-x-auto rounded-xl border border-line bg-surface shadow-xs"
      >
        <table className="border-separate border-spacing-0 text-sm">
          <caption className="sr-only">Whether each file fits each destination</caption>
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky left-0 z-1 min-w-40 border-b border-line bg-surface px-4 pb-2 text-left align-bottom text-xs font-medium text-ink-subtle sm:min-w-64"
              >
                File
              </th>
              {destinations.map(({ id, title, withdrawn_at }) => (
                <th key={id} scope="col" className="h-64 border-b border-line px-1 pb-2 align-bottom font-normal">
                  <span
                    title={title}
                    className="mx-auto block max-h-60 truncate text-left text-xs text-ink-muted [writing-mode:sideways-lr]"
                  >
                    {title}
                    {withdrawn_at && ' (withdrawn)'}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {files.map((file) => (
              <tr
                key={file.id}
                className="group/row hover:bg-hover [&>*]:border-b [&>*]:border-line last:[&>*]:border-b-0"
              >
                <th
                  scope="row"
                  className="sticky left-0 z-1 max-w-56 bg-surface px-4 py-1.5 text-left font-medium group-hover/row:bg-hover sm:max-w-96"
                >
                  <Link
                    href={`${batchHref}#file=${file.id}`}
                    className="line-clamp-2 max-w-full rounded-sm break-all hover:underline sm:line-clamp-1"
                    title={file.name}
                  >
                    {file.name}
                  </Link>
                </th>
                {file.verdicts.map((cell, index) => {
                  const destination = destinations[index]
                  return destination ? (
                    <td key={cell.destination_id} className="px-1 py-1 text-center">
                      <Verdict
                        file={file.name}
                        destination={destination}
                        cell={cell}
                        repair={
                          mayRepair && (
                            <RepairFor
                              file={{ ...batch, file_id: file.id }}
                              destinationId={destination.id}
                              href={`${batchHref}/review?file=${file.id}`}
                            />
                          )
                        }
                      />
                    </td>
                  ) : null
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

/** What the signs of the table mean. */
function Legend() {
  const signs = Object.entries(LOOKS).map(([verdict, looks]) => ({
    ...looks,
    label: LABELS.destinationVerdict[verdict as DestinationVerdict],
  }))
  return (
    <ul aria-label="Signs in the table" className="mb-3 flex flex-wrap gap-x-4 gap-y-1.5 text-xs text-ink-muted">
      {[...signs, OTHER_KIND].map(({ icon, className, label }) => (
        <li key={label} className="flex items-center gap-1.5">
          <span className={cn('grid size-5 place-items-center rounded-md [&_svg]:size-3.5', className)}>{icon}</span>
          {label}
        </li>
      ))}
    </ul>
  )
}

function Verdict({
  file,
  destination,
  cell: { verdict, version, requirements, repair: changes },
  repair,
}: {
  file: string
  destination: DestinationSummary
  cell: Matrix['files'][number]['verdicts'][number]
  /** Has the copy made. */
  repair: ReactNode
}) {
  const { icon, className, label } = isOtherKind(requirements)
    ? OTHER_KIND
    : { ...LOOKS[verdict], label: LABELS.destinationVerdict[verdict] }
  return (
    <Popover
      align="end"
      title={`${label}: ${destination.title}`}
      trigger={
        <button
          type="button"
          aria-label={`${label}: ${file}, ${destination.title}`}
          className={cn('mx-auto grid size-7 place-items-center rounded-md hover:bg-hover [&_svg]:size-4', className)}
        >
          {icon}
        </button>
      }
    >
      <div className="flex flex-col gap-3 text-left text-sm">
        {requirements.length === 0 ? (
          <p>Every requirement that applies to this file is met.</p>
        ) : (
          <ul className="flex flex-col gap-3">
            {requirements.map((result, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a fixed sequence of requirements
              <Reason key={index} result={result} />
            ))}
          </ul>
        )}
        {changes && (
          <div className="flex flex-col items-start gap-2">
            <p>{changes}</p>
            {repair}
          </div>
        )}
        <p className="text-xs text-ink-subtle">
          <Link href={`/settings/destinations/${destination.id}`} className="link">
            {destination.source.document}
          </Link>
          , {destination.source.date}. Version {version}.
        </p>
      </div>
    </Popover>
  )
}

function Reason({ result: { label, level, outcome, details, clause } }: { result: RequirementResult }) {
  return (
    <li className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {label}
        {level === 'recommended' && <Badge>Recommended</Badge>}
        {outcome === 'unknown' && <Badge tone="warn">Unknown</Badge>}
      </span>
      <span className="wrap-anywhere">{details}</span>
      <span className="text-xs text-ink-muted wrap-anywhere">{clause}</span>
    </li>
  )
}
