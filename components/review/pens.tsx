'use client'

import { DrawBar, PENS } from '@/components/drawing/draw-bar'
import { SHAPE_NAMES } from '@/components/drawing/use-drawing'
import { useShortcuts } from '@/lib/client/shortcuts'
import type { View } from './use-view'

/** The pens, each with its key, while something is drawn. */
export function Pens({ view }: { view: View }) {
  const { drawing } = view
  useShortcuts(
    PENS.map(({ kind, key }) => ({
      keys: key,
      label: SHAPE_NAMES[kind],
      group: 'Drawing',
      run: () => drawing.setKind(kind),
    })),
  )
  useShortcuts([{ keys: 'm', label: 'Move shapes', group: 'Drawing', run: drawing.pick }])
  return (
    <DrawBar
      drawing={drawing}
      hasKeys
      write={view.editedId ? null : () => view.setWriting(true)}
      stop={() => view.setTool('move')}
    />
  )
}
