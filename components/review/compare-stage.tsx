'use client'

import { useQueries } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { seenSize } from '@/components/files/seen-size'
import { useSizeOf } from '@/components/media/use-size-of'
import { Callout } from '@/components/ui/callout'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { Spinner } from '@/components/ui/spinner'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { File } from '@/lib/domain/files/schema'
import { CompareBox } from './compare-box'
import { CompareLayer } from './compare-layer'
import { CompareOver } from './compare-over'
import { ComparePicker } from './compare-picker'
import { CompareTiles } from './compare-tiles'
import { CompareTransport } from './compare-videos'
import { COMPARE_MODES, MOST_COMPARED } from './comparing'
import { Marks } from './marks'
import { rateOf, startOf } from './room-file'
import { type BatchPath, seenQuery } from './room-queries'
import { PageControls, ZoomControls } from './stage-tools'
import type { Comparing } from './use-comparing'
import { type SharedView, useSharedZoom } from './use-shared-zoom'
import type { View } from './use-view'
import { held } from './use-viewed-file'

const SQUARES_FROM = 2

/** The files that are compared with this one, in their order, as far as they have come; and why others have not. */
function useCompared({ comparison }: Comparing, versions: readonly File[]) {
  const asked = useQueries({
    queries: comparison.others.map(({ project_id, batch_id, file_id }) => ({
      ...seenQuery({ project_id, batch_id }, file_id),
      ...held,
      retry: false,
      initialData: versions.find(({ id }) => id === file_id),
    })),
  })
  return comparison.others.map(({ file_id }, index) => ({
    id: file_id,
    of: asked[index]?.data ?? null,
    error: asked[index]?.error ?? null,
  }))
}

/**
 * Two to four files or versions of any batch, at the same time, zoom and place: beside each other; two of them also one
 * over the other with a slider, or only where they differ.
 */
export function CompareStage({
  batch,
  file,
  versions,
  view,
  comparing,
}: {
  batch: BatchPath
  file: File
  versions: readonly File[]
  view: View
  comparing: Comparing
}) {
  const { comparison } = comparing
  const others = useCompared(comparing, versions)
  const there = others.flatMap(({ of }) => of ?? [])
  const all = [...there, file]
  const [split, setSplit] = useState(50)
  const [unshown, setUnshown] = useState<ReadonlySet<string>>(new Set())
  const players = useRef(new Map<string, HTMLVideoElement>())
  const frame = useRef<HTMLDivElement>(null)
  const size = seenSize(file)
  const { shared, controls, handlers } = useSharedZoom(frame, size.width)
  const { page } = view
  const pages = Math.max(1, ...all.map((each) => (each.media.kind === 'document' ? each.preview_pages : 1)))
  const inFile = Math.max(...all.map((each) => Number(each.media.pages) || 1))
  useShortcuts([
    { keys: '0', label: 'Whole image', group: 'Viewing', run: controls.whole },
    { keys: '1', label: 'Pixel for pixel', group: 'Viewing', run: controls.actual },
    { keys: '+', label: 'Zoom in', group: 'Viewing', run: controls.zoomIn },
    { keys: '-', label: 'Zoom out', group: 'Viewing', run: controls.zoomOut },
  ])

  const other = there.find(({ id }) => id === comparison.pair) ?? there[0] ?? null
  const mode = other === null ? 'side' : comparison.mode
  const seen = mode === 'side' || other === null ? all : [other, file]
  const videos = seen.length > 1 && seen.every(({ media }) => media.kind === 'video')
  const areShown = videos && seen.every(({ id }) => !unshown.has(id))
  const layer = (of: File, className?: string) => (
    <CompareLayer
      key={of.id}
      of={of}
      page={page}
      isPlayed={areShown}
      isSharp={shared !== null && (controls.view?.scale ?? 0) >= SQUARES_FROM}
      players={players}
      whenNotShown={(id) => setUnshown((before) => new Set(before).add(id))}
      className={className ?? ''}
    />
  )
  const widest = Math.max(...seen.map((each) => seenSize(each).width)) * 2
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface print:hidden px-2 py-1">
        {other !== null && (
          <SegmentedControl label="Compare" options={COMPARE_MODES} value={mode} onValueChange={comparing.setMode} />
        )}
        {mode !== 'side' && there.length > 1 && (
          <Select
            aria-label="Against"
            size="sm"
            className="w-52 max-w-full"
            options={there.map((each) => ({ value: each.id, label: nameOf(each, file) }))}
            value={other?.id ?? ''}
            onValueChange={comparing.setPair}
          />
        )}
        <ZoomControls zoom={controls} />
        {pages > 1 && (
          <PageControls page={Math.min(page, pages)} pages={pages} inFile={inFile} setPage={view.setPage} />
        )}
        {mode === 'slider' && (
          <input
            type="range"
            aria-label={`How much of version ${file.version} is shown, per cent`}
            min={0}
            max={100}
            value={split}
            onChange={(event) => setSplit(Number(event.currentTarget.value))}
            className="w-40 max-w-full accent-accent"
          />
        )}
        {others.length < MOST_COMPARED - 1 && (
          <span className="ml-auto">
            <ComparePicker
              batch={batch}
              versions={versions}
              shown={[file.id, ...others.map(({ id }) => id)]}
              add={comparing.add}
            />
          </span>
        )}
      </div>
      <div
        ref={frame}
        className={cn(
          'flex min-h-0 flex-1 touch-none bg-line select-none',
          shared && 'cursor-grab active:cursor-grabbing',
        )}
        {...handlers}
      >
        {mode === 'side' ? (
          <div className={cn('grid min-h-0 min-w-0 flex-1 gap-px', GRIDS[others.length])}>
            {others.map(({ id, of, error }) => (
              <Pane
                key={id}
                caption={of ? nameOf(of, file) : ''}
                remove={() => comparing.remove(id)}
                removeLabel={of ? `Do not compare with ${nameOf(of, file)}` : 'Do not compare with this file'}
              >
                {of ? (
                  <Shown of={of} widest={widest} view={shared} isPlayed={areShown}>
                    {layer(of)}
                  </Shown>
                ) : error ? (
                  <p className="max-w-60 text-center text-sm text-ink-muted">{error.message}</p>
                ) : (
                  <Spinner />
                )}
              </Pane>
            ))}
            <Pane caption={there.some(({ name }) => name !== file.name) ? nameOf(file, null) : nameOf(file, file)}>
              <Shown of={file} widest={widest} view={shared} isPlayed={areShown}>
                {layer(file)}
              </Shown>
            </Pane>
            {others.length === 0 && (
              <Pane caption="">
                <p className="max-w-60 text-center text-sm text-ink-muted">
                  Add a file or a version to see it beside this one, at the same zoom, place and time.
                </p>
              </Pane>
            )}
          </div>
        ) : (
          other && (
            <CompareOver
              file={file}
              other={other}
              isDifference={mode === 'difference'}
              split={split}
              view={shared}
              widest={widest}
              layer={layer}
            >
              {/* Videos run at times of their own. */}
              {!videos && <Marks {...view} page={page} />}
            </CompareOver>
          )
        )}
      </div>
      {videos && !areShown && (
        <Callout tone="warn" className="m-3" title="This browser cannot show all of these videos">
          What is compared are their previews, not their frames. Download them to view them.
        </Callout>
      )}
      {areShown && <CompareTransport leader={file.id} players={players} rate={rateOf(file)} start={startOf(file)} />}
      {mode === 'difference' && (
        <p className="border-t border-line bg-surface px-3 py-1.5 text-xs text-ink-muted">
          Black is equal in both; the brighter, the more it differs (three times amplified).
        </p>
      )}
    </>
  )
}

/** By how many others there are; a phone is narrow, so that two lie above each other. */
const GRIDS: Readonly<Record<number, string>> = {
  0: 'grid-cols-2 max-sm:grid-cols-1 max-sm:grid-rows-2',
  1: 'grid-cols-2 max-sm:grid-cols-1 max-sm:grid-rows-2',
  2: 'grid-cols-3 max-sm:grid-cols-1 max-sm:grid-rows-3',
  3: 'grid-cols-2 grid-rows-2',
}

/** A version of `of` by its number, another file by its name; null: by its name. */
const nameOf = (file: File, of: File | null) =>
  of?.name === file.name ? `Version ${file.version}` : `${file.name}, version ${file.version}`

function Pane({
  caption,
  remove,
  removeLabel = '',
  children,
}: {
  caption: string
  remove?: () => void
  removeLabel?: string
  children: ReactNode
}) {
  return (
    <figure data-pane className="relative flex min-h-0 min-w-0 flex-col bg-media">
      <figcaption className="flex min-h-8 min-w-0 items-center gap-1 px-3 text-xs font-medium text-ink-muted">
        <span className="min-w-0 flex-1 truncate" title={caption}>
          {caption}
        </span>
        {remove && <IconButton size="sm" label={removeLabel} icon={<X />} onClick={remove} />}
      </figcaption>
      <div className="relative grid min-h-0 flex-1 place-items-center overflow-hidden [container-type:size]">
        {children}
      </div>
    </figure>
  )
}

/** One file of several, with every pixel of it where it is a large image. */
function Shown({
  of,
  isPlayed,
  ...box
}: {
  of: File
  widest: number
  view: SharedView
  isPlayed: boolean
  children: ReactNode
}) {
  const shown = useRef<HTMLDivElement>(null)
  const fit = useSizeOf(shown)?.width ?? 0
  return (
    <>
      <CompareBox of={of} {...box}>
        <div ref={shown} className="absolute inset-0">
          {box.children}
        </div>
      </CompareBox>
      {!isPlayed && <CompareTiles of={of} fit={fit} view={box.view} />}
    </>
  )
}
