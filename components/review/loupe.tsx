'use client'

import { useEffect, useRef, useState } from 'react'
import { copyText } from '@/components/ui/copy-text-button'
import { toast } from '@/lib/client/toast'

const SIDE = 168
/** Pixels of the image seen through the loupe: odd, so that one is in the middle. */
const SEEN = 21

type Colour = { hex: string; words: string }

function colourOf([r = 0, g = 0, b = 0, a = 255]: Uint8ClampedArray): Colour {
  const hex = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`
  return { hex, words: a < 255 ? `${Math.round((a / 255) * 100)} % opaque` : `${r} ${g} ${b}` }
}

export const copyColour = (hex: string) =>
  copyText(hex).then((isDone) =>
    isDone ? toast.success(`${hex} copied`) : toast.error(`The browser did not allow copying. The colour is ${hex}.`),
  )

/** Pixels around a point of the image, large, with the colour of the one in the middle. */
export function Loupe({
  image,
  at,
  pointer,
  frame,
  onColour,
}: {
  image: CanvasImageSource & { naturalWidth: number; naturalHeight: number }
  /** Fractions of the image's sides. */
  at: { x: number; y: number }
  /** Where the pointer is in the frame, CSS pixels. */
  pointer: { x: number; y: number }
  frame: { width: number; height: number }
  onColour: (hex: string) => void
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [colour, setColour] = useState<Colour | null>(null)
  const report = useRef(onColour)
  report.current = onColour
  useEffect(() => {
    const pen = canvas.current?.getContext('2d', { willReadFrequently: true })
    if (!pen) return
    const x = Math.min(image.naturalWidth - 1, Math.floor(at.x * image.naturalWidth))
    const y = Math.min(image.naturalHeight - 1, Math.floor(at.y * image.naturalHeight))
    const half = (SEEN - 1) / 2
    pen.clearRect(0, 0, SEEN, SEEN)
    pen.drawImage(image, x - half, y - half, SEEN, SEEN, 0, 0, SEEN, SEEN)
    try {
      const found = colourOf(pen.getImageData(half, half, 1, 1).data)
      setColour(found)
      report.current(found.hex)
    } catch {
      // A drawing that refers to the outside gives no colours away.
      setColour(null)
    }
  }, [image, at.x, at.y])
  const left = pointer.x + SIDE + 24 > frame.width ? pointer.x - SIDE - 16 : pointer.x + 16
  const top = pointer.y + SIDE + 60 > frame.height ? pointer.y - SIDE - 48 : pointer.y + 16
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 overflow-hidden rounded-lg border border-line-strong bg-raised text-ink shadow-popover"
      style={{ left: Math.max(4, left), top: Math.max(4, top), width: SIDE }}
    >
      <div className="relative bg-media">
        <canvas
          ref={canvas}
          width={SEEN}
          height={SEEN}
          className="block [image-rendering:pixelated]"
          style={{ width: SIDE, height: SIDE }}
        />
        <span className="absolute top-1/2 left-1/2 size-2 -translate-1/2 outline-1 outline-black [box-shadow:0_0_0_2px_#fff]" />
      </div>
      {colour && (
        <p className="flex items-center gap-2 px-2 py-1.5 text-xs tabular-nums">
          <span className="size-4 rounded-sm border border-line-strong" style={{ background: colour.hex }} />
          <span className="font-mono">{colour.hex}</span>
          <span className="ml-auto text-2xs whitespace-nowrap text-ink-subtle">{colour.words}</span>
        </p>
      )}
    </div>
  )
}
