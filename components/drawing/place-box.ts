import type { Anchor } from '@/lib/domain/review/schema'

/** A place in an image that a comment is about. */
export type Place = Extract<Anchor, { kind: 'point' | 'region' }>

const percent = (share: number) => `${share * 100}%`

/** Where the left upper corner of a place lies in the box of its image. */
export const cornerOf = ({ x, y }: Place) => ({ left: percent(x), top: percent(y) })

/** Where it lies, and how large a region is. */
export const boxOf = (place: Extract<Place, { kind: 'region' }>) => ({
  ...cornerOf(place),
  width: percent(place.width),
  height: percent(place.height),
})

/** Seen on light and on dark images. */
export const REGION = 'pointer-events-none absolute outline-2 [box-shadow:0_0_0_1px_#fff,inset_0_0_0_1px_#fff]'
export const PIN =
  'absolute grid size-6 -translate-1/2 place-items-center rounded-full border-2 border-white text-2xs font-semibold'
export const PIN_INK = 'bg-[#1c2322] text-white'
