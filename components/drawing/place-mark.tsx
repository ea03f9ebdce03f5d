import { cn } from '@/components/ui/cn'
import { boxOf, cornerOf, PIN, PIN_INK, type Place, REGION } from './place-box'

/** The number of a comment at its place, and the outline of a region for which nothing was drawn. */
export function PlaceMark({ place, isDrawn, label }: { place: Place; isDrawn: boolean; label: string | number }) {
  return (
    <>
      {place.kind === 'region' && !isDrawn && (
        <span aria-hidden="true" className={cn(REGION, 'outline-fail')} style={boxOf(place)} />
      )}
      <span className={cn(PIN, PIN_INK, 'pointer-events-none')} style={cornerOf(place)}>
        {label}
      </span>
    </>
  )
}
