import { cva, type VariantProps } from 'class-variance-authority'

/** Styles of everything that is pressed, shared by Button (client) and LinkButton (server). */
export const buttonStyles = cva(
  [
    'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border border-transparent font-medium whitespace-nowrap select-none',
    'transition-[background-color,border-color,color,box-shadow] duration-100',
    'disabled:opacity-50 aria-disabled:opacity-50 data-disabled:opacity-50',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    'print:hidden',
  ],
  {
    variants: {
      variant: {
        primary:
          'bg-accent text-on-accent shadow-xs hover:bg-accent-hover disabled:hover:bg-accent aria-disabled:hover:bg-accent',
        secondary:
          'border-line-strong bg-surface text-ink shadow-xs hover:bg-hover data-popup-open:bg-hover dark:bg-raised dark:hover:bg-active',
        ghost: 'text-ink-muted hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink',
        soft: 'bg-accent-soft text-accent-ink hover:bg-accent-line/60',
        danger: 'bg-danger text-on-danger shadow-xs hover:bg-danger-hover',
        'danger-ghost': 'text-fail-ink hover:bg-fail-soft',
        link: 'link h-auto! px-0! font-normal',
      },
      size: {
        sm: 'h-7 px-2.5 text-xs pointer-coarse:h-9',
        md: 'h-8 px-3 text-sm pointer-coarse:h-10',
        lg: 'h-10 px-4 text-base pointer-coarse:h-11',
      },
      shape: { text: '', icon: 'aspect-square px-0' },
    },
    defaultVariants: { variant: 'secondary', size: 'md', shape: 'text' },
  },
)

export type ButtonStyle = Pick<VariantProps<typeof buttonStyles>, 'variant' | 'size'>
