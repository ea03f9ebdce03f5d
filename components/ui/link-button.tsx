import Link from 'next/link'
import type { ComponentProps } from 'react'
import { type ButtonStyle, buttonStyles } from './button-styles'
import { cn } from './cn'

/** A link that looks like a button, for going somewhere. */
export function LinkButton({ variant, size, className, ...props }: ComponentProps<typeof Link> & ButtonStyle) {
  return <Link className={cn(buttonStyles({ variant, size }), className)} {...props} />
}

/** The same for files and other addresses that the router must not take over (downloads, mail, other sites). */
export function AnchorButton({ variant, size, className, ...props }: ComponentProps<'a'> & ButtonStyle) {
  return <a className={cn(buttonStyles({ variant, size }), className)} {...props} />
}
