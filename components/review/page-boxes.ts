/** The boxes of a PDF page, placed on its image. ISO 32000-2, 14.11.2: page boundaries. */

export type BoxName = 'trim' | 'bleed' | 'art' | 'crop' | 'media'
/** Fractions of the image's sides from its upper left corner; may lie outside it. */
export type PlacedBox = { name: BoxName; left: number; top: number; width: number; height: number }

type Box = { x: number; y: number; width: number; height: number }

const number = (value: unknown) => (typeof value === 'number' ? value : 0)

function boxOf(value: unknown): Box | null {
  if (typeof value !== 'object' || value === null) return null
  const box = value as Record<string, unknown>
  const found = { x: number(box.x_mm), y: number(box.y_mm), width: number(box.width_mm), height: number(box.height_mm) }
  return found.width > 0 && found.height > 0 ? found : null
}

/**
 * Boxes as a page facts object states them (millimetres from the lower left of user space) on the image of the page,
 * which shows the crop box, turned clockwise by `rotation`. A box that is the image itself is left out.
 */
export function placeBoxes(page: unknown): PlacedBox[] {
  if (typeof page !== 'object' || page === null) return []
  const facts = page as Record<string, unknown>
  const shown = boxOf(facts.crop_box) ?? boxOf(facts.media_box)
  if (!shown) return []
  const rotation = ((number(facts.rotation) % 360) + 360) % 360
  const names: BoxName[] = ['media', 'bleed', 'trim', 'art']
  return names.flatMap((name) => {
    const box = boxOf(facts[`${name}_box`])
    if (!box) return []
    const left = (box.x - shown.x) / shown.width
    const bottom = (box.y - shown.y) / shown.height
    const width = box.width / shown.width
    const height = box.height / shown.height
    const placed = turn({ left, top: 1 - bottom - height, width, height }, rotation)
    const isAll = [placed.left, placed.top, placed.width - 1, placed.height - 1].every((off) => Math.abs(off) < 0.001)
    return isAll ? [] : [{ name, ...placed }]
  })
}

function turn({ left, top, width, height }: Omit<PlacedBox, 'name'>, rotation: number) {
  if (rotation === 90) return { left: 1 - top - height, top: left, width: height, height: width }
  if (rotation === 180) return { left: 1 - left - width, top: 1 - top - height, width, height }
  if (rotation === 270) return { left: top, top: 1 - left - width, width: height, height: width }
  return { left, top, width, height }
}
