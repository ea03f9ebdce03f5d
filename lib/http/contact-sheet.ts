import { buffer } from 'node:stream/consumers'
import { type BlobKey, BlobNotFound } from '@/lib/domain/kernel/blob-store'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { ContactSheetQuery, getContactSheet } from '@/lib/domain/pre-qc/contact-sheet'
import { service } from '@/lib/service'
import { pdfResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** Images that are read at once. */
const AT_ONCE = 8

/** The files of a batch on paper, as PDF. @throws `unavailable` when too many documents are printed */
export async function contactSheet({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const asked = parseInput(ContactSheetQuery, queryOf(request), 'invalid_query')
  const sheet = await executeFor(getContactSheet, { ctx, params }, asked)
  const images = await imagesOf(
    ctx,
    sheet.listed.filter(({ hasImage }) => hasImage),
  )
  const pdf = await service().print(sheet.batch.id, { kind: 'contact_sheet', sheet, images })
  const part = sheet.parts > 1 ? `, part ${sheet.part} of ${sheet.parts}` : ''
  return pdfResponse(`${sheet.batch.name}, contact sheet${part}.pdf`, sheet, pdf)
}

/** The thumbnail of each file in Base64; one that cannot be found is left out. */
async function imagesOf(ctx: Exchange['ctx'], files: readonly { id: string }[]): Promise<Record<string, string>> {
  const images: Record<string, string> = {}
  const left = [...files]
  const readNext = async (): Promise<void> => {
    const file = left.pop()
    if (!file) return
    const image = await read(ctx, `derived/${file.id}/thumbnail.webp`)
    if (image) images[file.id] = image.toString('base64')
    return readNext()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readNext))
  return images
}

async function read(ctx: Exchange['ctx'], key: BlobKey): Promise<Buffer | null> {
  try {
    return await buffer(await ctx.ports.blobs.read(key))
  } catch (error) {
    if (error instanceof BlobNotFound) return null
    throw error
  }
}
