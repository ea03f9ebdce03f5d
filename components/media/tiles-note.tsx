import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/spinner'
import type { Tiled } from './use-tiles'

/** While every pixel of a large image or a page is being prepared, or why it cannot be shown; else its children. */
export function TilesNote({
  tiled,
  children,
}: {
  tiled: Pick<Tiled, 'isBeingMade' | 'failure' | 'makeAgain'>
  children: ReactNode
}) {
  if (tiled.isBeingMade)
    return (
      <span role="status" className="ml-auto flex items-center gap-2 text-xs text-ink-subtle">
        <Spinner /> Preparing every pixel; this is the preview
      </span>
    )
  if (tiled.failure === null) return children
  return (
    <span role="alert" className="ml-auto flex items-center gap-2 text-xs text-ink-muted">
      Not every pixel can be shown; this is the preview. {tiled.failure}
      <Button size="sm" variant="ghost" onClick={tiled.makeAgain}>
        Try again
      </Button>
    </span>
  )
}
