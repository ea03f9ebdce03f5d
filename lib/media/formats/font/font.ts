import type { FontFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt } from '../defect'
import type { Examined } from '../format'
import { validateCff } from './font-cff'
import { validateGlyphs } from './font-glyphs'
import { validateLayout } from './font-layout'
import { validateTables } from './font-tables'
import { type FontTables, readCollection, readSfnt } from './sfnt'
import { readWoff, readWoff2 } from './woff'

const MAX_BYTES = 128 * 1024 * 1024

/**
 * TrueType and OpenType (ISO/IEC 14496-22), bare or as WOFF (W3C 2012) and WOFF2 (W3C 2024), alone or as a collection.
 * Every font of a collection is validated; its facts are those of the first.
 */
export async function examineFont(source: ByteSource): Promise<Examined> {
  if (source.size > MAX_BYTES) throw bomb(`a font of ${Math.round(source.size / 2 ** 20)} MB`)
  const bytes = source.whole()
  const mark = bytes.toString('latin1', 0, 4)
  const fonts = await readFonts(mark, bytes)
  const [facts] = fonts.map(validateFont)
  const [font] = fonts
  if (!facts || !font) throw corrupt('it holds no font')
  const isCff = font.tables.has('CFF ') || font.tables.has('CFF2')
  const format =
    mark === 'wOFF'
      ? 'woff'
      : mark === 'wOF2'
        ? 'woff2'
        : mark === 'ttcf'
          ? 'collection'
          : mark === 'OTTO' || isCff
            ? 'otf'
            : 'ttf'
  return { media: { ...facts, format }, engine: 'Greenroom font reader' }
}

async function readFonts(mark: string, bytes: Buffer): Promise<FontTables[]> {
  if (mark === 'wOFF') return [await readWoff(bytes)]
  if (mark === 'wOF2') return readWoff2(bytes)
  return mark === 'ttcf' ? readCollection(bytes) : [readSfnt(bytes)]
}

function validateFont(font: FontTables): FontFacts {
  const { facts, shape } = validateTables(font)
  validateGlyphs(font, shape)
  validateCff(font)
  for (const tag of ['GSUB', 'GPOS', 'GDEF']) {
    const table = font.tables.get(tag)
    if (table && table.length > 0) validateLayout(tag, table, shape.glyphs)
  }
  return facts
}
