import type { ReactNode } from 'react'
import { seenSize } from '@/components/files/seen-size'
import type { File } from '@/lib/domain/files/schema'
import { type SharedView, transformOf } from './use-shared-zoom'

/** As large as it fits, alike in all of them: what is of another resolution is seen at the same size. */
export function CompareBox({
  of,
  widest,
  view,
  children,
}: {
  of: File
  widest: number
  view: SharedView
  children: ReactNode
}) {
  const { width, height } = seenSize(of)
  return (
    <div
      data-compared
      className="relative"
      style={{
        width: `min(100cqw - 1rem, (100cqh - 1rem) * ${width / height}, ${widest}px)`,
        aspectRatio: `${width} / ${height}`,
        transform: transformOf(view),
      }}
    >
      {children}
    </div>
  )
}
