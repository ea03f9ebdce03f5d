import { quote } from '@/lib/domain/kernel/errors'
import { parseInput } from '@/lib/domain/kernel/shapes'
import { ExportMarkers, MARKER_FORMATS, type MarkerFormat, openMarkers } from '@/lib/domain/review/markers'
import type { PageFacts } from '@/lib/media/facts'
import { fileResponse } from './downloads'
import { type Exchange, executeFor } from './endpoint'
import { HttpError } from './http-error'
import { toEdl } from './markers/edl'
import { toFcpxml } from './markers/fcpxml'
import { toAvid, toMarkerCsv } from './markers/tables'
import { timelineOf } from './markers/timeline'
import { toXfdf } from './markers/xfdf'
import { queryOf } from './request'
import type { RouteResponse } from './response'

/** The comments on a file, for the tools it was made with. @throws `unsupported_format` */
export async function exportMarkers({ request, ctx, params }: Exchange): Promise<RouteResponse> {
  const opened = await executeFor(openMarkers, { ctx, params })
  const { format: asked, internal } = parseInput(ExportMarkers, queryOf(request), 'invalid_query')
  const format = MARKER_FORMATS.find((each) => each === asked)
  const { file } = opened
  const fits = format && whyNot(format, file.kind) === null
  if (!format || !fits) {
    const offered = MARKER_FORMATS.filter((each) => whyNot(each, file.kind) === null)
    const reason = format ? whyNot(format, file.kind) : `There is no export as ${quote(asked)}.`
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
    case 'json':
      return fileResponse(`${name}.json`, 'application/json', JSON.stringify(asJson(file, markers), null, 2))
  }
}

const pagesOf = (media: Record<string, unknown>) =>
  Array.isArray(media.pageSizes) ? (media.pageSizes as PageFacts[]) : []

function whyNot(format: MarkerFormat, kind: string): string | null {
  if (format === 'json') return null
  if (format === 'xfdf') return kind === 'document' ? null : 'XFDF is for the comments of a PDF, and this file is none.'
  return kind === 'video' || kind === 'audio'
    ? null
    : `${format.toUpperCase()} is for what runs in time, and this file does not.`
}

function asJson(
  file: { name: string; version: number; sha256: string },
  markers: Awaited<ReturnType<typeof openMarkers.execute>>['markers'],
) {
  return {
    file: { name: file.name, version: file.version, sha256: file.sha256 },
    comments: markers.map(({ number, body, author, at, anchor, isInternal, isResolved, replies }) => ({
      number,
      body,
      author,
      created_at: at.toISOString(),
      anchor,
      is_internal: isInternal,
      is_resolved: isResolved,
      replies: replies.map((reply) => ({ body: reply.body, author: reply.author, created_at: reply.at.toISOString() })),
    })),
  }
}
