import { encode } from 'uqr'
import { cn } from './cn'

/** A link as a QR code, drawn here and now: the link leaves the browser for no service. Always dark on white, so that every reader finds it. */
export function QrCode({ value, label, className }: { value: string; label: string; className?: string }) {
  const { data, size } = encode(value, { ecc: 'M', border: 3 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={cn('size-40 rounded-lg border border-line', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#0b1512" />
    </svg>
  )
}
