'use client'

import type { PdfState } from '@/components/media/use-pdf'
import { Button } from '@/components/ui/button'

/** Over a page that is not shown as it is printed: which plate of it is shown, whether layers are switched, and the way back. */
export function PdfShown({ pdf }: { pdf: PdfState }) {
  const { plate, isChanged } = pdf
  return (
    <ul
      aria-label="Shown of the page"
      className="absolute bottom-3 left-3 grid max-w-[calc(100%-1.5rem)] justify-items-start gap-1.5 text-xs text-ink"
    >
      {plate && (
        <Shown back="All plates" onBack={() => pdf.choosePlate(null)}>
          Plate: <bdi>{plate.name}</bdi>
        </Shown>
      )}
      {isChanged && (
        <Shown back="As in the file" onBack={() => void pdf.restore()}>
          Layers are switched
        </Shown>
      )}
    </ul>
  )
}

const Shown = ({ children, back, onBack }: { children: React.ReactNode; back: string; onBack: () => void }) => (
  <li className="flex max-w-full items-center gap-1 rounded-md border border-line-strong bg-raised py-0.5 pr-0.5 pl-2.5 shadow-sm">
    <span className="min-w-0 truncate">{children}</span>
    {/* The stage takes what is pressed for itself. */}
    <Button size="sm" variant="ghost" onPointerDown={(event) => event.stopPropagation()} onClick={onBack}>
      {back}
    </Button>
  </li>
)
