import type { Viewport } from '@/components/media/tile-layout'
import type { SharedView } from './use-shared-zoom'

type Size = { width: number; height: number }

/**
 * Where an image stands in its pane: as large as it fits into the box of the file that is viewed, in the middle of it.
 *
 * @param own pixels of the image; `box`: of the file by which the box is made
 * @param fit width of the box where the whole is shown, `area`: of the pane, CSS pixels
 */
export function placeInPane(
  own: Size,
  box: Size,
  { fit, area, view }: { fit: number; area: Size; view: NonNullable<SharedView> },
): Viewport {
  const width = view.zoom * fit
  const height = (width * box.height) / box.width
  const scale = Math.min(width / own.width, height / own.height)
  return {
    scale,
    x: area.width / 2 - view.x * width + (width - own.width * scale) / 2,
    y: area.height / 2 - view.y * height + (height - own.height * scale) / 2,
  }
}
