import type { FileRow } from '@/lib/domain/files/present'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { assertBytes } from '@/lib/domain/retention/rules'
import { ExportMarkers, MARKER_FORMATS, type Marker, type MarkerFormat, openMarkers } from '@/lib/domain/review/markers'
import { formatBytes } from '@/lib/format'
import type { Remark } from '@/lib/media/annotate/protocol'
import type { PageFacts } from '@/lib/media/facts'
import { service } from '@/lib/service'
import { attachment, fileResponse, INERT } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { toEdl } from './markers/edl'
import { toFcpxml } from './markers/fcpxml'
import { toAvid, toMarkerCsv } from './markers/tables'
import { timelineOf } from './markers/timeline'
import { toXfdf } from './markers/xfdf'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** A PDF is held in memory as a whole while comments are written into it. */
const MOST_ANNOTATED = 200_000_000

/** The comments on a file, for the tools it was made with. @throws `unsupported_format` */
export async function exportMarkers({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const opened = await executeFor(openMarkers, { ctx, params })
  const { format: asked, internal } = parseInput(ExportMarkers, queryOf(request), 'invalid_query')
  const format = MARKER_FORMATS.find((each) => each === asked)
  const { file } = opened
  const fits = format && whyNot(format, file) === null
  if (!format || !fits) {
    const offered = MARKER_FORMATS.filter((each) => whyNot(each, file) === null)
    const reason = format ? whyNot(format, file) : `There is no export as ${quote(asked)}.`
    throw new HttpError('unsupported_format', `${reason} Ask for format=${offered.join(' or format=')}.`)
  }
  const markers = opened.markers.filter(({ isInternal }) => internal === 'include' || !isInternal)
  const name = `${file.name}, comments`
  const timeline = () => timelineOf(file, markers)
  switch (format) {
    case 'edl':
      return fileResponse(`${name}.edl`, 'text/plain; charset=utf-8', toEdl(timeline()))
    case 'fcpxml':
      return fileResponse(`${name}.fcpxml`, 'application/xml', toFcpxml(timeline()))
    case 'csv':
      return fileResponse(`${name}.csv`, 'text/csv; charset=utf-8', toMarkerCsv(timeline()))
    case 'avid':
      return fileResponse(`${name}.txt`, 'text/plain; charset=utf-8', toAvid(timeline()))
    case 'xfdf':
      return fileResponse(`${name}.xfdf`, 'application/vnd.adobe.xfdf', toXfdf(file.name, pagesOf(file.media), markers))
    case 'pdf':
      return annotated(ctx, file, markers)
    case 'json':
      return fileResponse(`${name}.json`, 'application/json', JSON.stringify(asJson(file, markers), null, 2))
  }
}

const pagesOf = (media: Record<string, unknown>) =>
  Array.isArray(media.pageSizes) ? (media.pageSizes as PageFacts[]) : []

function whyNot(format: MarkerFormat, { kind, mediaType, size }: FileRow): string | null {
  if (format === 'json') return null
  if (format === 'pdf') {
    if (mediaType !== 'application/pdf') return 'Comments are written into a PDF, and this file is none.'
    if (size <= MOST_ANNOTATED) return null
    return `The PDF has ${formatBytes(size)}; comments are written into one of up to ${formatBytes(MOST_ANNOTATED)}.`
  }
  if (format === 'xfdf') return kind === 'document' ? null : 'XFDF is for the comments of a PDF, and this file is none.'
  return kind === 'video' || kind === 'audio'
    ? null
    : `${format.toUpperCase()} is for what runs in time, and this file does not.`
}

/** The PDF with its comments in it. @throws `removed`, `unavailable`, `unsupported_format` */
async function annotated(ctx: Exchange['ctx'], file: FileRow, markers: readonly Marker[]): Promise<RouteResponse> {
  assertBytes(file)
  const made = await ctx.ports.blobs.localPath(file.objectKey as BlobKey, (path) =>
    service().annotate(path, markers.map(remarkOf)),
  )
  if ('refused' in made) {
    const reason = `Comments cannot be written into ${quote(file.name)}. ${made.refused}`
    throw new HttpError('unsupported_format', `${reason} Ask for format=xfdf.`)
  }
  const name = `${file.name.replace(/\.pdf$/i, '')}, with comments.pdf`
  const headers = {
    ...INERT,
    'Content-Type': 'application/pdf',
    'Content-Disposition': attachment(name),
    'Content-Length': String(made.size),
  }
  return { status: 200, headers, body: made.body }
}

function remarkOf({ id, number, body, author, at, anchor, shapes, isResolved, replies }: Marker): Remark {
  const placed = anchor?.kind === 'point' || anchor?.kind === 'region' ? anchor : null
  return {
    id,
    number,
    body,
    author,
    at: at.toISOString(),
    page: anchor && 'page' in anchor ? (anchor.page ?? 1) : 1,
    place: placed && { x: placed.x, y: placed.y, width: 0, height: 0, ...sizeOf(placed) },
    shapes,
    isResolved,
    replies: replies.map((reply) => ({ ...reply, at: reply.at.toISOString() })),
  }
}

const sizeOf = (anchor: { kind: string; width?: number; height?: number }) =>
  anchor.kind === 'region' ? { width: anchor.width ?? 0, height: anchor.height ?? 0 } : {}

function asJson(file: { name: string; version: number; sha256: string }, markers: readonly Marker[]) {
  return {
    file: { name: file.name, version: file.version, sha256: file.sha256 },
    comments: markers.map(({ number, body, author, at, anchor, shapes, isInternal, isResolved, replies }) => ({
      number,
      body,
      author,
      created_at: at.toISOString(),
      anchor,
      shapes,
      is_internal: isInternal,
      is_resolved: isResolved,
      replies: replies.map((reply) => ({ body: reply.body, author: reply.author, created_at: reply.at.toISOString() })),
    })),
  }
}
