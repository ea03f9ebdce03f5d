/** The outline of everything that takes a value. 16 px on touch screens, or iOS zooms into the field. */
export const controlStyles = [
  'w-full rounded-md border border-line-control bg-surface text-ink shadow-xs',
  'text-sm pointer-coarse:text-[1rem]',
  'transition-[border-color,box-shadow] duration-100 hover:border-ink-subtle',
  'focus-visible:border-focus focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-focus/40',
  'aria-invalid:border-fail data-invalid:border-fail',
  'disabled:bg-sunken disabled:text-ink-subtle disabled:opacity-70 data-disabled:bg-sunken data-disabled:text-ink-subtle data-disabled:opacity-70',
  '[&[readonly]]:bg-sunken',
].join(' ')

/** Height and padding of one-line controls. */
export const controlSize = { sm: 'h-7 px-2', md: 'h-8 px-2.5 pointer-coarse:h-10', lg: 'h-10 px-3' } as const

export type ControlSize = keyof typeof controlSize

/** The panel that menus, selects and pickers open. */
export const popupStyles =
  'popup-motion rounded-lg border border-line-strong bg-raised text-sm text-ink shadow-popover outline-none'

/** One line in such a panel. */
export const popupItemStyles =
  'relative flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover dark:data-highlighted:bg-active data-disabled:opacity-50 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0'
