import sharp from 'sharp'
import type { ContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { drawDocument } from './document'
import { COLOR } from './paper'
import { sheetHeading } from './parts/sheet-heading'
import { COLUMNS, type SheetImage, sheetRow } from './parts/sheet-row'
import { Typesetter } from './typesetter'

/**
 * Renders the files of a batch as tagged PDF 1.7, some twenty on a page. The same files give the same bytes.
 * @param images of files by their ids, WebP in Base64, as the worker drew them
 */
export async function renderContactSheet(sheet: ContactSheet, images: Record<string, string>): Promise<Buffer> {
  const { batch, project, agency, listed } = sheet
  const set = await Typesetter.for([
    batch.name,
    project,
    agency,
    batch.media_category.name,
    ...listed.map(({ name }) => name),
    // What the parts themselves write.
    '—…·–×',
  ])
  const drawn = await Promise.all(listed.map(({ id }) => decoded(images[id])))
  const rows = Array.from({ length: Math.ceil(listed.length / COLUMNS) }, (_, row) => {
    const from = row * COLUMNS
    const cells = listed
      .slice(from, from + COLUMNS)
      .map((file, column) => ({ file, image: drawn[from + column] ?? null }))
    return sheetRow(set, cells)
  })
  const facts = {
    title: `${batch.name}: contact sheet`,
    subject: `${project}, ${agency}`,
    language: 'en',
    madeAt: new Date(sheet.generatedAt),
  }
  const frame = {
    running: `${batch.name}  Contact sheet`,
    owner: agency,
    foot: `${project}, made ${sheet.generatedAt.slice(0, 16).replace('T', ' ')} UTC`,
  }
  return drawDocument(set, facts, frame, [...sheetHeading(set, sheet), ...rows])
}

/** As JPEG on white: PDF knows no WebP. Null where there is none, or it is damaged. */
async function decoded(image: string | undefined): Promise<SheetImage | null> {
  if (!image) return null
  try {
    const { data, info } = await sharp(Buffer.from(image, 'base64'), { limitInputPixels: 4_000_000 })
      .flatten({ background: '#ffffff' })
      // A hairline, without which a white image has no edge on white paper.
      .extend({ top: 1, bottom: 1, left: 1, right: 1, background: COLOR.rule })
      .jpeg({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  } catch {
    return null
  }
}
