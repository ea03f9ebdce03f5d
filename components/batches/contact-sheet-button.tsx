'use client'

import { Button } from '@/components/ui/button'
import { AnchorButton } from '@/components/ui/link-button'
import { Menu, MenuDownload } from '@/components/ui/menu'

/** Parts that are offered; further ones are had by the interface. */
const MOST_SHOWN = 60

/** The files of a batch on paper; those of a large batch in parts. */
export function ContactSheetButton({ href, parts }: { href: string; parts: number }) {
  if (parts === 1) {
    return (
      <AnchorButton href={href} download size="sm" aria-label="Contact sheet, PDF">
        PDF
      </AnchorButton>
    )
  }
  return (
    <Menu trigger={<Button size="sm">PDF, {parts} parts</Button>}>
      {Array.from({ length: Math.min(parts, MOST_SHOWN) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are numbered
        <MenuDownload key={index} href={`${href}?part=${index + 1}`}>
          Part {index + 1} of {parts}
        </MenuDownload>
      ))}
    </Menu>
  )
}
