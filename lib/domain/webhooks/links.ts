import type { RecordedEvent } from '../kernel/events'

/** Where what an event is about is found: by programs, and by people. */
export type EventLinks = {
  /** The resource in the interface; null where there is none. */
  url: string | null
  /** Its screen. */
  page_url: string | null
}

type About = Pick<RecordedEvent, 'type' | 'projectId' | 'batchId' | 'subjectId'> & { data: Record<string, unknown> }

/** The links of an event beside its ids: of the narrowest thing that has an address. */
export function eventLinks(baseUrl: string, { type, projectId, batchId, subjectId, data }: About): EventLinks {
  const [noun] = type.split('.')
  const batch = projectId && batchId ? `/projects/${projectId}/batches/${batchId}` : null
  const at = (api: string | null, page: string | null): EventLinks => ({
    url: api && `${baseUrl}/api${api}`,
    page_url: page && baseUrl + page,
  })
  if (noun === 'estimate' && subjectId) return at(`/cost-estimates/${subjectId}`, `/cost-estimates/${subjectId}`)
  if (noun === 'upload_link' && subjectId) return at(`/upload-links/${subjectId}`, batch)
  if (noun === 'review_link' && subjectId) return at(`/review-links/${subjectId}`, batch)
  if (noun === 'share_link' && subjectId) return at(`/share-links/${subjectId}`, batch && `${batch}/deliveries`)
  if (noun === 'delivery' && batch && subjectId) return at(`${batch}/deliveries/${subjectId}`, `${batch}/deliveries`)
  const thread = noun === 'comment' ? (data.answers ?? subjectId) : null
  const file = noun === 'file' ? subjectId : noun === 'comment' ? data.file_id : null
  if (batch && typeof file === 'string')
    return at(`${batch}/files/${file}`, `${batch}/review?file=${file}${thread ? `#comment=${thread}` : ''}`)
  if (batch) return at(batch, batch)
  return projectId ? at(`/projects/${projectId}`, `/projects/${projectId}`) : at(null, null)
}
