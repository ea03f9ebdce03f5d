import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

// `text-2xs` is a size of ours: without this, tailwind-merge takes it for a colour and drops it beside `text-ink`.
const merge = extendTailwindMerge({ extend: { theme: { text: ['2xs'], shadow: ['popover', 'dialog'] } } })

/** Joins class names; of two that set the same property the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
