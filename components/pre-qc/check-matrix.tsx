'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Ban, CircleCheck, CircleX, Minus, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FileSummaries, PART_FROM } from '@/components/files/use-file-summaries'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/empty-state'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { usePlace } from '@/components/ui/use-place'
import type { FileSummary } from '@/lib/domain/files/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import { type CheckStatus, LABELS } from '@/lib/vocabulary'

const ICONS: Record<CheckStatus, { icon: ReactNode; className: string }> = {
  fail: { icon: <CircleX />, className: 'bg-fail-soft text-fail-ink' },
  error: { icon: <Ban />, className: 'bg-warn-soft text-warn-ink' },
  warning: { icon: <TriangleAlert />, className: 'bg-warn-soft text-warn-ink' },
  waived: { icon: <ShieldCheck />, className: 'bg-info-soft text-info-ink' },
  pass: { icon: <CircleCheck />, className: 'text-pass-ink' },
  skipped: { icon: <Minus />, className: 'text-ink-subtle' },
}

type CheckWords = NonNullable<NonNullable<FileSummary['pre_qc']>['checks']>[number]

const ROW_HEIGHT = 33

/**
 * Files against checks: a batch in one view. The checks with most findings stand first, then in the engine's order; of a
 * long list they are those of the files that were in sight. `files` come with their checks.
 */
export function CheckMatrix({ files, open }: { files: FileSummaries; open: (fileId: string) => void }) {
  const [showsAll, setShowsAll] = useState(false)
  const body = useRef<HTMLTableSectionElement>(null)
  const { margin } = usePlace(body)
  const isPart = files.total > PART_FROM
  const virtual = useWindowVirtualizer<HTMLTableRowElement>({
    count: files.total,
    enabled: isPart,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    scrollMargin: margin,
    initialRect: { width: 0, height: 900 },
    initialOffset: 0,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const [from, to] = isPart ? [first?.index ?? 0, last?.index ?? 0] : [0, files.total - 1]
  useEffect(() => files.show(from, to), [files.show, from, to])
  const rows = Array.from({ length: to - from + 1 }, (_, at) => {
    const file = files.at(from + at)
    return { index: from + at, file, lines: linesOf(file) }
  })
  const columns = columnsOf(files.loaded().map(linesOf)).filter(({ findings }) => showsAll || findings > 0)
  if (files.at(0)?.pre_qc && files.at(0)?.pre_qc?.checks === undefined) {
    return (
      <Loading label="checks">
        <Skeleton className="h-48 w-full" />
      </Loading>
    )
  }
  if (files.loaded().every((file) => linesOf(file).size === 0)) {
    return <EmptyState title="No checks yet">The checks run when the batch is submitted.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="Show checks without a finding, too"
        checked={showsAll}
        onCheckedChange={() => setShowsAll(!showsAll)}
      />
      {columns.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="No check found anything">
          Every file passes every check that applies to it.
        </EmptyState>
      ) : (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label="Files and checks"
          className="overflow-x-auto rounded-xl border border-line bg-surface shadow-xs"
        >
          <table
            aria-rowcount={isPart ? files.total + 1 : undefined}
            className="border-separate border-spacing-0 text-sm"
          >
            <caption className="sr-only">What each check says of each file</caption>
            <thead>
              <tr>
                <th
                  scope="col"
                  className="sticky left-0 z-1 min-w-40 border-b border-line bg-surface px-4 pb-2 text-left align-bottom text-xs font-medium text-ink-subtle sm:min-w-64"
                >
                  File
                </th>
                {columns.map(({ id, label }) => (
                  <th key={id} scope="col" className="h-36 border-b border-line px-1 pb-2 align-bottom font-normal">
                    <span className="mx-auto block max-h-32 text-left text-xs whitespace-nowrap text-ink-muted [writing-mode:sideways-lr]">
                      {label}
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {isPart && <Gap height={(first?.start ?? margin) - margin} />}
              {rows.map(({ index, file, lines }) => (
                <tr
                  key={index}
                  ref={isPart ? virtual.measureElement : undefined}
                  data-index={index}
                  aria-rowindex={isPart ? index + 2 : undefined}
                  className="group/row hover:bg-hover [&>*]:border-b [&>*]:border-line last:[&>*]:border-b-0"
                >
                  <th
                    scope="row"
                    className="sticky left-0 z-1 max-w-56 bg-surface px-4 py-1.5 text-left font-medium group-hover/row:bg-hover sm:max-w-96"
                  >
                    {file ? (
                      <button
                        type="button"
                        onClick={() => open(file.id)}
                        className="block max-w-full truncate rounded-sm text-left hover:underline"
                        title={file.name}
                      >
                        {file.name}
                      </button>
                    ) : (
                      <Skeleton className="w-40" />
                    )}
                  </th>
                  {columns.map(({ id }) => (
                    <Cell key={id} check={lines.get(id)} />
                  ))}
                </tr>
              ))}
              {isPart && <Gap height={virtual.getTotalSize() + margin - (last?.end ?? margin)} />}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}

/** The place of rows that are out of sight. */
function Gap({ height }: { height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row takes no focus
  return height < 1 ? null : <tr aria-hidden="true" style={{ height }} />
}

const linesOf = (file: FileSummary | null) =>
  new Map((file?.pre_qc?.checks ?? []).map((check) => [check.check_id, check]))

function Cell({ check }: { check: CheckWords | undefined }) {
  if (!check)
    return (
      <td className="px-1 text-center">
        <span className="sr-only">Not for this file</span>
      </td>
    )
  const { icon, className } = ICONS[check.status]
  return (
    <td className="px-1 py-1 text-center" title={check.details}>
      <span className={cn('mx-auto grid size-6 place-items-center rounded-md [&_svg]:size-3.5', className)}>
        <span aria-hidden="true">{icon}</span>
        <span className="sr-only">{LABELS.checkStatus[check.status]}</span>
      </span>
    </td>
  )
}

function columnsOf(files: readonly ReadonlyMap<string, CheckWords>[]) {
  const columns = new Map<string, { id: string; label: string; findings: number }>()
  for (const lines of files) {
    for (const { check_id: id, label, status } of lines.values()) {
      const column = columns.get(id) ?? { id, label, findings: 0 }
      if (isProblem(status) || status === 'waived') column.findings += 1
      columns.set(id, column)
    }
  }
  return [...columns.values()].sort((a, b) => b.findings - a.findings)
}
