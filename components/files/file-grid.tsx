'use client'

import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { FindingWords, ResultBadge } from '@/components/pre-qc/result-badge'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/skeleton'
import { usePlace } from '@/components/ui/use-place'
import { formatBytes } from '@/lib/format'
import { Decision } from './decision'
import { factsOf } from './facts'
import { FileName } from './file-name'
import { type Box, meets, touched } from './marquee'
import { SelectBox } from './select-box'
import { Thumbnail } from './thumbnail'
import { type FileSummaries, PART_FROM } from './use-file-summaries'
import { useMarquee } from './use-marquee'
import type { Selection } from './use-selection'

const GAP = 12
/** Width of the narrowest card, the most columns, and of a card what is not its image, pixels. */
const SIZES = {
  comfortable: { leastCard: 170, mostColumns: 6, wordsHeight: 116 },
  compact: { leastCard: 112, mostColumns: 12, wordsHeight: 62 },
}

/** The files of a batch as a wall of images; of a long list only the rows in sight are on the page. */
export function FileGrid({
  files,
  open,
  selection,
  isCompact,
}: {
  files: FileSummaries
  open: (id: string) => void
  selection: Selection
  /** Small images, with the name and the verdict alone. */
  isCompact: boolean
}) {
  const { leastCard, mostColumns, wordsHeight } = SIZES[isCompact ? 'compact' : 'comfortable']
  const list = useRef<HTMLUListElement>(null)
  const { margin, width } = usePlace(list)
  const columns = Math.min(mostColumns, Math.max(2, Math.floor((width + GAP) / (leastCard + GAP))))
  const isPart = files.total > PART_FROM && width > 0
  const cardWidth = (width - (columns - 1) * GAP) / columns
  const rowHeight = ((cardWidth - 18) * 3) / 4 + wordsHeight + GAP
  const rows = useWindowVirtualizer<HTMLLIElement>({
    count: Math.ceil(files.total / columns),
    enabled: isPart,
    estimateSize: () => rowHeight,
    overscan: 2,
    scrollMargin: margin,
    initialRect: { width: 0, height: 900 },
    initialOffset: 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the estimate depends on it
  useLayoutEffect(() => rows.measure(), [rowHeight])
  const items = rows.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const from = isPart ? (first?.index ?? 0) * columns : 0
  const to = Math.min(files.total, isPart ? ((last?.index ?? 0) + 1) * columns : PART_FROM) - 1
  useEffect(() => files.show(from, to), [files.show, from, to])
  /** The cards that a box of the document touches; of a long list those that are not on the page, too. */
  const placesIn = (box: Box): number[] => {
    const place = list.current?.getBoundingClientRect()
    if (!place) return []
    if (isPart) {
      const cardHeight = rowHeight - GAP
      const origin = { x: place.left + window.scrollX, y: place.top + window.scrollY }
      return touched(box, { ...origin, columns, cardWidth, cardHeight, gap: GAP, count: files.total })
    }
    return [...(list.current?.children ?? [])].flatMap((card, index) => {
      const { left, top, right, bottom } = card.getBoundingClientRect()
      const [x, y] = [window.scrollX, window.scrollY]
      return meets(box, { left: left + x, top: top + y, right: right + x, bottom: bottom + y }) ? [index] : []
    })
  }
  const area = useRef<HTMLDivElement>(null)
  const drawn = useMarquee(area, placesIn, selection)
  return (
    // Some room around the cards, to begin a drag in.
    <div ref={area} className="relative -mx-3 px-3 pb-10">
      {drawn}
      <ul
        ref={list}
        className={files.isOld ? 'grid opacity-60' : 'grid'}
        style={{
          gap: GAP,
          gridTemplateColumns: `repeat(${width > 0 ? columns : 'auto-fill'}, minmax(${width > 0 ? 0 : `${leastCard}px`}, 1fr))`,
          ...(isPart && {
            gridAutoRows: rowHeight - GAP,
            paddingTop: (first?.start ?? margin) - margin,
            paddingBottom: Math.max(0, rows.getTotalSize() + margin - (last?.end ?? margin)),
          }),
        }}
      >
        {Array.from({ length: to - from + 1 }, (_, at) => {
          const index = from + at
          const file = files.at(index)
          return (
            <li
              key={index}
              aria-setsize={files.total}
              aria-posinset={index + 1}
              className="relative min-w-0 rounded-lg border border-line bg-surface p-2 hover:border-line-strong"
            >
              {file ? (
                <>
                  <Thumbnail file={file} className="aspect-4/3 w-full" />
                  <button
                    type="button"
                    onClick={() => open(file.id)}
                    title={isCompact ? file.name : undefined}
                    className={cn(
                      'mt-2 w-full text-left font-medium after:absolute after:inset-0',
                      isCompact ? 'block truncate text-xs' : 'line-clamp-2 text-sm wrap-anywhere',
                    )}
                  >
                    <FileName name={file.name} />
                  </button>
                  {!isCompact && (
                    <p className="truncate text-xs text-ink-subtle">
                      {[file.version > 1 && `Version ${file.version}`, ...factsOf(file)].filter(Boolean).join(' · ') ||
                        formatBytes(file.size)}
                    </p>
                  )}
                  <div className="mt-1.5 flex flex-wrap items-center justify-between gap-1">
                    <ResultBadge quiet result={file.pre_qc} />
                    {file.decision !== 'pending' && !isCompact && <Decision decision={file.decision} />}
                  </div>
                  {!isCompact && <FindingWords result={file.pre_qc} />}
                  <SelectBox file={file} index={index} selection={selection} className="absolute! top-3 left-3 z-1" />
                </>
              ) : (
                <Skeleton className="aspect-4/3 w-full" />
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
