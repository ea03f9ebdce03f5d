'use client'

import { Ban, CircleCheck, CircleX, Minus, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { cn } from '@/components/ui/cn'
import { EmptyState } from '@/components/ui/empty-state'
import type { File } from '@/lib/domain/files/schema'
import { isProblem } from '@/lib/domain/pre-qc/rules'
import type { CheckLine, PreQcResult } from '@/lib/domain/pre-qc/schema'
import { type CheckStatus, LABELS } from '@/lib/vocabulary'

const ICONS: Record<CheckStatus, { icon: ReactNode; className: string }> = {
  fail: { icon: <CircleX />, className: 'bg-fail-soft text-fail-ink' },
  error: { icon: <Ban />, className: 'bg-warn-soft text-warn-ink' },
  warning: { icon: <TriangleAlert />, className: 'bg-warn-soft text-warn-ink' },
  waived: { icon: <ShieldCheck />, className: 'bg-info-soft text-info-ink' },
  pass: { icon: <CircleCheck />, className: 'text-pass-ink' },
  skipped: { icon: <Minus />, className: 'text-ink-subtle' },
}

/** Files against checks: a batch in one view. The checks with most findings stand first, then in the engine's order. */
export function CheckMatrix({
  files,
  resultOf,
  open,
}: {
  files: readonly File[]
  resultOf: ReadonlyMap<string, PreQcResult>
  open: (fileId: string) => void
}) {
  const [showsAll, setShowsAll] = useState(false)
  const rows = files.map((file) => ({
    file,
    lines: new Map((resultOf.get(file.id)?.checks ?? []).map((check) => [check.check_id, check])),
  }))
  const columns = columnsOf(rows.map(({ lines }) => lines)).filter(({ findings }) => showsAll || findings > 0)
  if (rows.every(({ lines }) => lines.size === 0)) {
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
          <table className="border-separate border-spacing-0 text-sm">
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
            <tbody>
              {rows.map(({ file, lines }) => (
                <tr
                  key={file.id}
                  className="group/row hover:bg-hover [&>*]:border-b [&>*]:border-line last:[&>*]:border-b-0"
                >
                  <th
                    scope="row"
                    className="sticky left-0 z-1 max-w-56 bg-surface px-4 py-1.5 text-left font-medium group-hover/row:bg-hover sm:max-w-96"
                  >
                    <button
                      type="button"
                      onClick={() => open(file.id)}
                      className="block max-w-full truncate rounded-sm text-left hover:underline"
                      title={file.name}
                    >
                      {file.name}
                    </button>
                  </th>
                  {columns.map(({ id }) => (
                    <Cell key={id} check={lines.get(id)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  )
}

function Cell({ check }: { check: CheckLine | undefined }) {
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

function columnsOf(files: readonly ReadonlyMap<string, CheckLine>[]) {
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
