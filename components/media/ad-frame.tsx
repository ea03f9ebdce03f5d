'use client'

import { RotateCw, ShieldCheck } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useSizeOf } from './use-size-of'

/**
 * An HTML5 ad, run where it can do nothing: a frame without an origin, that loads its own parts and nothing else. Where it is
 * wider than its place it is reduced, so that the whole of it is seen; in its actual size it is scrolled.
 * @param ad where it is served, and its size in pixels
 * @param over what lies over it
 */
export function AdFrame({
  id,
  name,
  ad: { url, width, height },
  over,
}: {
  id: string
  name: string
  ad: { url: string; width: number; height: number }
  over?: ReactNode
}) {
  const [runs, setRuns] = useState(0)
  const [isActual, setActual] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const room = useSizeOf(place)
  const fits = Math.min(1, (room?.width ?? width) / width)
  const scale = isActual ? 1 : fits
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-3 py-1 text-xs text-ink-muted print:hidden">
        <span className="flex items-center gap-1.5">
          <ShieldCheck aria-hidden="true" className="size-4 shrink-0 text-pass-ink" />
          Runs sandboxed: its own parts only, no windows
        </span>
        <span className="tabular-nums">
          {width} × {height} px{scale < 1 && ` at ${Math.round(scale * 100)} %`}
        </span>
        <span className="ml-auto flex gap-1">
          {fits < 1 && (
            <Button size="sm" variant="ghost" onClick={() => setActual(!isActual)}>
              {isActual ? 'Fit to width' : 'Actual size'}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={() => setRuns(runs + 1)}>
            <RotateCw />
            Play again
          </Button>
        </span>
      </div>
      <section
        aria-label={`The ad ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled is reached by the keyboard, too
        tabIndex={0}
        className="grid min-h-0 flex-1 items-center overflow-auto bg-media p-4"
      >
        <div ref={place} className="min-w-0">
          {room && (
            <div className="relative mx-auto" style={{ width: width * scale, height: height * scale }}>
              <iframe
                key={`${id} ${runs}`}
                title={`The ad ${name}`}
                src={url}
                sandbox="allow-scripts"
                referrerPolicy="no-referrer"
                loading="lazy"
                data-image-of={id}
                width={width}
                height={height}
                className="origin-top-left bg-white shadow-sm"
                style={{ transform: `scale(${scale})` }}
              />
              {over}
            </div>
          )}
        </div>
      </section>
    </>
  )
}
