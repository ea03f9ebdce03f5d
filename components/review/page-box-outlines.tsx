import { cn } from '@/components/ui/cn'
import type { BoxName, PlacedBox } from './page-boxes'

const BOX_STYLES: Record<BoxName, string> = {
  trim: 'outline-[#15803d] text-[#15803d]',
  bleed: 'outline-[#b91c1c] text-[#b91c1c]',
  art: 'outline-[#1d4ed8] text-[#1d4ed8]',
  media: 'outline-[#4b5563] text-[#4b5563]',
  crop: 'outline-[#4b5563] text-[#4b5563]',
}

/** The boxes of a PDF page, drawn over it with their names. */
export const PageBoxes = ({ boxes }: { boxes: readonly PlacedBox[] }) =>
  boxes.map((one) => (
    <span
      key={one.name}
      role="img"
      aria-label={`${one.name} box`}
      className={cn('pointer-events-none absolute outline-1', BOX_STYLES[one.name])}
      style={{
        left: `${one.left * 100}%`,
        top: `${one.top * 100}%`,
        width: `${one.width * 100}%`,
        height: `${one.height * 100}%`,
      }}
    >
      <span className="absolute bottom-full left-0 bg-white/90 px-1 text-2xs leading-4 font-medium capitalize">
        {one.name}
      </span>
    </span>
  ))
