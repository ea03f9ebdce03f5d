import type { OtherFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb } from '../defect'
import type { Examined } from '../format'
import { validateCff } from './font-cff'
import { validateGlyphs } from './font-glyphs'
import { validateLayout } from './font-layout'
import { validateTables } from './font-tables'
import { type FontTables, readSfnt } from './sfnt'
import { readWoff, readWoff2 } from './woff'

const MAX_BYTES = 128 * 1024 * 1024

/** TrueType and OpenType (ISO/IEC 14496-22), bare or as WOFF (W3C 2012) and WOFF2 (W3C 2024). */
export async function examineFont(source: ByteSource): Promise<Examined> {
  if (source.size > MAX_BYTES) throw bomb(`a font of ${Math.round(source.size / 2 ** 20)} MB`)
  const bytes = source.whole()
  const mark = bytes.toString('latin1', 0, 4)
  const font = mark === 'wOFF' ? await readWoff(bytes) : mark === 'wOF2' ? await readWoff2(bytes) : readSfnt(bytes)
  const facts = validateFont(font)
  const isCff = font.tables.has('CFF ') || font.tables.has('CFF2')
  const format = mark === 'wOFF' ? 'woff' : mark === 'wOF2' ? 'woff2' : mark === 'OTTO' || isCff ? 'otf' : 'ttf'
  return { media: { ...facts, format }, engine: 'Greenroom font reader' }
}

function validateFont(font: FontTables): OtherFacts {
  const { facts, shape } = validateTables(font)
  validateGlyphs(font, shape)
  validateCff(font)
  for (const tag of ['GSUB', 'GPOS', 'GDEF']) {
    const table = font.tables.get(tag)
    if (table) validateLayout(tag, table, shape.glyphs)
  }
  return facts
}
