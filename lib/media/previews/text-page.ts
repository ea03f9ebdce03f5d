import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import sharp from 'sharp'
import { type Previews, shrink } from './shrink'

/** The first lines of a file of markup, as a page: what people see of it where it has no image of its own. */

const LINES = 64
const COLUMNS = 190
const PAGE = { width: 1600, height: 1200, margin: 40 }

/** From the folder of the product, not from this file: a bundler would take the font for a module of its own. */
const font = () =>
  createRequire(path.join(process.cwd(), 'package.json')).resolve(
    '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  )

export async function drawText(file: string): Promise<Previews> {
  const lines = broken(indented(decode(readFileSync(file))))
  const shown = lines.length > LINES ? [...lines.slice(0, LINES - 1), '…'] : lines
  const text = shown.map(escaped).join('\n')
  const { data } = await sharp({
    text: { text, font: 'Noto Sans 11', fontfile: font(), dpi: 96, rgba: true, spacing: 2 },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  const within = { width: PAGE.width - 2 * PAGE.margin, height: PAGE.height - 2 * PAGE.margin }
  const fitted = await sharp(data)
    .resize({ ...within, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const page = sharp({ create: { width: PAGE.width, height: PAGE.height, channels: 3, background: '#ffffff' } })
    .composite([{ input: fitted, left: PAGE.margin, top: PAGE.margin }])
    .png()
  return shrink(sharp(await page.toBuffer()))
}

function decode(bytes: Buffer): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(wide).decode(bytes)
}

const PIECES = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[^>]*>|[^<]+/g
const isText = (piece: string | undefined) => piece !== undefined && (!piece.startsWith('<') || piece.startsWith('<!['))

/** Each element of well-formed markup on a line of its own, indented by its depth; one that holds text only on one. */
function indented(text: string): string[] {
  const pieces = (text.match(PIECES) ?? []).map((piece) => piece.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const lines: string[] = []
  let depth = 0
  for (let at = 0; at < pieces.length && lines.length <= LINES; at++) {
    const piece = pieces[at] ?? ''
    const opens = /^<[^/!?]/.test(piece) && !piece.endsWith('/>')
    if (piece.startsWith('</')) depth = Math.max(0, depth - 1)
    let end = at + 1
    while (opens && isText(pieces[end])) end++
    const isLeaf = opens && pieces[end]?.startsWith('</') === true
    lines.push(`${'    '.repeat(Math.min(depth, 8))}${pieces.slice(at, isLeaf ? end + 1 : at + 1).join('')}`)
    if (isLeaf) at = end
    else if (opens) depth += 1
  }
  return lines
}

/** What is longer than a line goes on below, where it began. */
const broken = (lines: string[]) =>
  lines.flatMap((line) => {
    const [indent = ''] = /^ */.exec(line) ?? []
    const pieces = line.trim().match(new RegExp(`.{1,${COLUMNS - indent.length}}`, 'gu')) ?? []
    return pieces.map((piece) => indent + piece)
  })

/** Pango reads markup. */
const escaped = (line: string) => line.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
