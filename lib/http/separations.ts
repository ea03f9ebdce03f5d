import type { FileRow } from '@/lib/domain/files/present'
import { openFile } from '@/lib/domain/files/queries'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { invalidState, notFound, quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { assertBytes } from '@/lib/domain/retention/rules'
import { type PageSeparations, PlateQuery, SeparationsQuery } from '@/lib/domain/separations/schema'
import { service } from '@/lib/service'
import { attachment, INERT } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { isKept } from './etag'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** Of what makes plates: a browser asks anew for what it kept of another. */
const VERSION = 1

/** The plates of a page of a PDF. @throws `invalid_state`, `removed`, `unavailable` */
export async function pageSeparations({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const file = await openPdf({ request, ctx, params })
  const { page } = parseInput(SeparationsQuery, queryOf(request), 'invalid_query')
  const headers = keeping(file, `${page}`)
  if (isKept(request, headers.ETag)) return { status: 304, headers, body: null }
  const { separated } = await separate(ctx, file, page, null)
  if ('missing' in separated) throw notFound('page of this document', String(page))
  const found: PageSeparations =
    'refused' in separated ? { plates: [], notes: [], failure: separated.refused } : { ...separated, failure: null }
  return { status: 200, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(found) }
}

/** One plate of a page, as a PDF of that page in grey. @throws `invalid_state`, `not_found`, `removed`, `unavailable` */
export async function platePdf({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const file = await openPdf({ request, ctx, params })
  const { page, plate } = parseInput(PlateQuery, queryOf(request), 'invalid_query')
  const headers = keeping(file, `${page}-${plate}`)
  if (isKept(request, headers.ETag)) return { status: 304, headers, body: null }
  const { separated, pdf } = await separate(ctx, file, page, plate)
  if ('refused' in separated)
    throw invalidState(`${quote(file.name)} cannot be separated. ${separated.refused}`, 'refused', ['separable'])
  if (!pdf) throw notFound('plate of this page', String(plate))
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': 'application/pdf',
      'Content-Disposition': attachment(`${file.name.replace(/\.pdf$/i, '')}, page ${page}, plate ${plate + 1}.pdf`),
      'Content-Length': String(pdf.size),
    },
    body: pdf.body,
  }
}

async function openPdf({ ctx, params }: Exchange): Promise<FileRow> {
  const file = await executeFor(openFile, { ctx, params })
  assertBytes(file)
  if (file.mediaType !== 'application/pdf')
    throw invalidState(`${quote(file.name)} is no PDF: it has no pages to separate.`, file.kind, ['document'])
  return file
}

const separate = (ctx: Exchange['ctx'], file: FileRow, page: number, plate: number | null) =>
  ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) => service().separate(path, page, plate))

/** The right to it is asked for each time; what is kept serves again while it is the same. */
const keeping = (file: FileRow, what: string) => ({
  ...INERT,
  ETag: `"${file.sha256.slice(0, 32)}-plates-${VERSION}-${what}"`,
  'Cache-Control': 'private, no-cache',
})
