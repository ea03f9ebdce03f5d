import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { LogoDrawer } from '@/lib/domain/settings/port'
import { inspectFile } from '@/lib/media/inspect/inspect'
import { drawPng } from '@/lib/media/measurer/measurer'

/** Pixels: sharp at 190 by 48 points on paper and on a dense screen. */
const LARGEST = { width: 800, height: 240 }
const TIMEOUT_MS = 20_000

/**
 * Makes a logo from an image a user sent: read to its end and drawn anew as PNG, in sandboxed processes.
 * None of the bytes that were sent are in it. `refused` is a sentence for the user who sent it.
 */
export const drawLogo: LogoDrawer['drawLogo'] = async (bytes, extension) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'logo-'))
  const file = path.join(folder, 'logo')
  try {
    await writeFile(file, bytes)
    const found = await inspectFile(file, { extension, timeoutMs: TIMEOUT_MS })
    const [wrong] = found.violations
    if (wrong) return { refused: wrong.message }
    if (found.kind !== 'image') return { refused: 'That is not an image. Choose a PNG, JPEG, WebP or SVG file.' }
    const logo = await drawPng(file, found.mediaType, LARGEST)
    return logo ?? { refused: 'The image could not be drawn. Save it as PNG, then choose that file.' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
