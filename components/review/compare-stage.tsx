'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import { Thumbnail } from '@/components/files/thumbnail'
import { usePlayback } from '@/components/files/use-playback'
import { Callout } from '@/components/ui/callout'
import { cn } from '@/components/ui/cn'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { Select } from '@/components/ui/select'
import { useImage } from '@/lib/client/image-cache'
import { useVideoShown } from '@/lib/client/use-video-shown'
import type { File } from '@/lib/domain/files/schema'
import { formatBytes } from '@/lib/format'
import { VideoPairControls } from './compare-videos'
import { Marks } from './marks'
import { imageOf, originalOf, rateOf, seenSize } from './room-file'
import type { View } from './use-view'

const MODES = [
  { value: 'side', label: 'Side by side' },
  { value: 'slider', label: 'Slider' },
  { value: 'difference', label: 'Difference' },
] as const
type Mode = (typeof MODES)[number]['value']

/** The sharper of the images of a file, so that versions are compared by their pixels where that is possible. */
const sharpest = (file: File) => (file.size < 20_000_000 ? originalOf(file) : null) ?? imageOf(file)

/** One of two videos that run together; says when the browser shows no image of it. */
function Video({
  of,
  player,
  whenNotShown,
  className,
}: {
  of: File
  player: RefObject<HTMLVideoElement | null>
  whenNotShown: () => void
  className?: string
}) {
  const isShown = useVideoShown(player)
  const { source, isLoading } = usePlayback(of)
  const isWithout = isShown === false || (source === null && !isLoading)
  const say = useRef(whenNotShown)
  say.current = whenNotShown
  useEffect(() => {
    if (isWithout) say.current()
  }, [isWithout])
  return (
    <video
      ref={player}
      src={source ?? undefined}
      aria-label={`Version ${of.version} of ${of.name}`}
      muted
      playsInline
      preload="auto"
      className={cn('absolute inset-0 size-full object-contain', className)}
    />
  )
}

/** Two versions of a file: beside each other, one over the other with a slider, or only where they differ. */
export function CompareStage({ file, versions, view }: { file: File; versions: readonly File[]; view: View }) {
  const others = versions.filter(({ id }) => id !== file.id)
  const [otherId, setOtherId] = useState(others[0]?.id)
  const [mode, setMode] = useState<Mode>('slider')
  const [split, setSplit] = useState(50)
  const [unshown, setUnshown] = useState<ReadonlySet<string>>(new Set())
  const leader = useRef<HTMLVideoElement>(null)
  const follower = useRef<HTMLVideoElement>(null)
  const other = others.find(({ id }) => id === otherId) ?? others[0]
  const { image: newer } = useImage(sharpest(file))
  const { image: older } = useImage(other ? sharpest(other) : null)
  if (!other) return null
  const size = seenSize(file)
  const box = {
    width: `min(100cqw - 2rem, (100cqh - 2rem) * ${size.width / size.height}, ${size.width * 2}px)`,
    aspectRatio: `${size.width} / ${size.height}`,
  }
  const videos = file.media.kind === 'video' && other.media.kind === 'video'
  const areShown = videos && !unshown.has(file.id) && !unshown.has(other.id)
  const layer = (image: typeof newer, of: File, className?: string) =>
    areShown ? (
      <Video
        key={of.id}
        player={of.id === file.id ? leader : follower}
        whenNotShown={() => setUnshown((before) => new Set(before).add(of.id))}
        of={of}
        className={className}
      />
    ) : image ? (
      // biome-ignore lint/performance/noImgElement: decoded beforehand
      <img
        src={image.url}
        alt={`Version ${of.version} of ${of.name}`}
        className={cn('absolute inset-0 size-full object-contain', className)}
      />
    ) : (
      <Thumbnail file={of} className="absolute inset-0 size-full border-0" />
    )
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line bg-surface px-2 py-1">
        <SegmentedControl label="Compare" options={MODES} value={mode} onValueChange={setMode} />
        <span className="text-xs text-ink-muted">Version {file.version} against</span>
        <Select
          aria-label="Against version"
          size="sm"
          className="w-44"
          options={others.map((each) => ({
            value: each.id,
            label: `Version ${each.version}, ${formatBytes(each.size)}`,
          }))}
          value={other.id}
          onValueChange={setOtherId}
        />
        {mode === 'slider' && (
          <input
            type="range"
            aria-label={`How much of version ${file.version} is shown, per cent`}
            min={0}
            max={100}
            value={split}
            onChange={(event) => setSplit(Number(event.currentTarget.value))}
            className="ml-auto w-48 max-w-full accent-accent"
          />
        )}
      </div>
      {mode === 'side' ? (
        <div className="grid min-h-0 flex-1 grid-cols-2 gap-px bg-line max-sm:grid-cols-1 max-sm:grid-rows-2">
          {[
            { of: other, image: older },
            { of: file, image: newer },
          ].map(({ of, image }) => (
            <figure key={of.id} className="relative min-h-0 bg-media">
              <div className="absolute inset-4 top-9">{layer(image, of)}</div>
              <figcaption className="absolute top-2 left-3 text-xs font-medium text-ink-muted">
                Version {of.version}
              </figcaption>
            </figure>
          ))}
        </div>
      ) : (
        <div className="grid min-h-0 flex-1 place-items-center overflow-hidden bg-media [container-type:size]">
          <div className="relative" style={box}>
            <div className={cn('absolute inset-0 isolate', mode === 'difference' && 'bg-black [filter:brightness(3)]')}>
              {layer(older, other)}
              {mode === 'difference' ? (
                layer(newer, file, 'mix-blend-difference')
              ) : (
                <>
                  <div className="absolute inset-0" style={{ clipPath: `inset(0 0 0 ${100 - split}%)` }}>
                    {layer(newer, file)}
                  </div>
                  <span
                    aria-hidden="true"
                    className="absolute inset-y-0 w-0.5 -translate-x-1/2 bg-white [box-shadow:0_0_0_1px_rgb(0_0_0/0.5)]"
                    style={{ left: `${100 - split}%` }}
                  />
                </>
              )}
            </div>
            {/* Versions are compared by their first page; two videos run at times of their own. */}
            {!videos && <Marks {...view} page={1} />}
          </div>
        </div>
      )}
      {videos && !areShown && (
        <Callout tone="warn" className="m-3" title="This browser cannot show both videos">
          What is compared are their previews, not their frames. Download both to view them.
        </Callout>
      )}
      {areShown && (
        <VideoPairControls key={`${mode} ${other.id}`} leader={leader} follower={follower} rate={rateOf(file)} />
      )}
      {mode === 'difference' && (
        <p className="border-t border-line bg-surface px-3 py-1.5 text-xs text-ink-muted">
          Black is equal in both; the brighter, the more it differs (three times amplified).
        </p>
      )}
    </>
  )
}
