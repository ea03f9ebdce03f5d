'use client'

import { lazy, Suspense, useRef } from 'react'
import { useSizeOf } from '@/components/media/use-size-of'
import { useTiles } from '@/components/media/use-tiles'
import { useImage } from '@/lib/client/image-cache'
import type { File } from '@/lib/domain/files/schema'
import { imageOf, seenSize } from './room-file'
import type { SharedView } from './use-shared-zoom'

const DeepZoom = lazy(() => import('@/components/media/deep-zoom').then((module) => ({ default: module.DeepZoom })))

/** Every pixel of a large image that is compared, over its preview once it is zoomed; nothing for all others. */
export function CompareTiles({ of, fit, view }: { of: File; fit: number; view: SharedView }) {
  const pane = useRef<HTMLDivElement>(null)
  const area = useSizeOf(pane)
  const { tiles } = useTiles(of, view !== null, false)
  const { image } = useImage(tiles && view ? imageOf(of) : null)
  const { width, height } = seenSize(of)
  const scale = view ? (view.zoom * fit) / width : 0
  const viewport = view &&
    area && {
      scale,
      x: area.width / 2 - view.x * width * scale,
      y: area.height / 2 - view.y * height * scale,
    }
  return (
    <div ref={pane} className="pointer-events-none absolute inset-0 overflow-hidden">
      {tiles && viewport && fit > 0 && (
        <div
          className="absolute top-0 left-0 overflow-hidden"
          style={{
            width: width * scale,
            height: height * scale,
            transform: `translate(${viewport.x}px, ${viewport.y}px)`,
          }}
        >
          <Suspense>
            <DeepZoom
              tiles={tiles}
              viewport={viewport}
              frame={pane}
              preview={image?.image ?? null}
              fileId={of.id}
              label={`Version ${of.version} of ${of.name}, every pixel`}
              filter={undefined}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}
