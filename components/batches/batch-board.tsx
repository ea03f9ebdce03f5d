import { NearLink } from '@/components/ui/near-link'
import { type BrowsedBatch, MOST_COUNTED } from '@/lib/domain/batches/schema'
import { formatCount, formatNumber } from '@/lib/format'
import { type BatchStatus, type BOARD_STATUSES, LABELS } from '@/lib/vocabulary'
import { SelectBatch } from './batch-selection'
import { Covers, FileProgress } from './covers'
import { TurnWords } from './turn'

const placeOf = (batch: BrowsedBatch) => `/projects/${batch.project_id}/batches/${batch.id}`

const countWords = (count: number) => `${formatNumber(count)}${count < MOST_COUNTED ? '' : '+'}`

/** Of what is known the browser needs no more to change it. */
export const selectedOf = ({ id, name, operator, coordinator, due }: BrowsedBatch) => ({
  id,
  name,
  operator,
  coordinator,
  due,
})

type BoardStatus = (typeof BOARD_STATUSES)[number]

/** Batches by status, one column each, the newest first. `hrefOf`: the list of all in a status. */
export function BatchBoard({
  columns,
  counts,
  hrefOf,
}: {
  columns: readonly { status: BoardStatus; batches: readonly BrowsedBatch[] }[]
  counts: Record<BoardStatus, number>
  hrefOf: (status: BatchStatus) => string
}) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
      {columns.map(({ status, batches }) => {
        const more = counts[status] - batches.length
        return (
          <section key={status} aria-label={LABELS.batchStatus[status]} className="min-w-0 rounded-xl bg-sunken p-2">
            <h2 className="flex items-baseline justify-between gap-2 px-2 py-1.5 text-sm font-semibold">
              {LABELS.batchStatus[status]}
              <span className="font-normal text-ink-muted tabular-nums">{countWords(counts[status])}</span>
            </h2>
            {batches.length === 0 ? (
              <p className="px-2 pt-1 pb-3 text-sm text-ink-muted">None</p>
            ) : (
              <ul className="flex flex-col gap-2">
                {batches.map((batch) => (
                  <li
                    key={batch.id}
                    className="relative flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 shadow-xs hover:border-line-strong"
                  >
                    <div className="flex gap-3">
                      <Covers urls={batch.covers} className="h-12 w-16" />
                      <div className="min-w-0 flex-1">
                        <NearLink
                          href={placeOf(batch)}
                          data-row-link
                          className="line-clamp-2 text-sm font-medium wrap-anywhere after:absolute after:inset-0"
                        >
                          {batch.name}
                        </NearLink>
                        <p className="truncate text-xs text-ink-muted">
                          {batch.project.name}, {batch.agency.name}
                        </p>
                      </div>
                      <SelectBatch batch={selectedOf(batch)} className="z-1" />
                    </div>
                    <FileProgress counts={batch.counts} className="max-w-none" />
                    <TurnWords turn={batch.turn} due={batch.due} />
                  </li>
                ))}
              </ul>
            )}
            {more > 0 && (
              <NearLink href={hrefOf(status)} className="link block px-2 py-2 text-sm">
                {counts[status] < MOST_COUNTED
                  ? formatCount(more, 'older batch', 'older batches')
                  : 'All older batches'}
              </NearLink>
            )}
          </section>
        )
      })}
    </div>
  )
}
