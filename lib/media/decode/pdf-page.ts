import { readFile } from 'node:fs/promises'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Raster } from '../measure/pixels'

/** Longest side of a drawn page, the size of a preview. */
const LONGEST_SIDE = 1600
const POINTS_PER_INCH = 72

/**
 * Draws one page of a PDF on white, as it is shown: crop box, rotation. Pages count from 1.
 * A page the size of a stamp is drawn at 300 dpi at most, or its pixels would be the drawer's invention.
 */
export async function drawPage(path: string, page = 1, longestSide = LONGEST_SIDE): Promise<Raster> {
  const bytes = await readFile(path)
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(bytes)
    try {
      const drawn = document.getPage(page - 1)
      const { originalWidth, originalHeight } = drawn.getOriginalSize()
      const scale = Math.min(longestSide / Math.max(originalWidth, originalHeight), 300 / POINTS_PER_INCH)
      const image = await drawn.render({ scale, render: 'bitmap', colorSpace: 'BGRA' })
      return { data: withoutAlpha(image.data), width: image.width, height: image.height, channels: 3, scale: 1 }
    } finally {
      document.destroy()
    }
  } finally {
    library.destroy()
  }
}

/**
 * RGBA to RGB, over white where nothing was drawn. The drawer calls its order “BGRA” and has PDFium turn it round while
 * it draws: what arrives is RGBA.
 */
function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const pixels = rgba.length / 4
  const rgb = new Uint8Array(pixels * 3)
  for (let pixel = 0, from = 0, to = 0; pixel < pixels; pixel++, from += 4, to += 3) {
    const alpha = rgba[from + 3] ?? 255
    const white = 255 - alpha
    for (let channel = 0; channel < 3; channel++) {
      rgb[to + channel] = ((rgba[from + channel] ?? 0) * alpha) / 255 + white
    }
  }
  return rgb
}
