import { expect, test } from 'vitest'
import { EVENT_TYPES } from '@/lib/vocabulary'
import { eventLinks } from './links'

const BASE = 'https://qc.example.com'
const about = { projectId: 'p', batchId: 'b', subjectId: 's', data: { file_id: 'f' } }
const linksOf = (type: (typeof EVENT_TYPES)[number]) => eventLinks(BASE, { ...about, type })

test.each(EVENT_TYPES)('an event %s says where its resource and its screen are', (type) => {
  const { url, page_url } = linksOf(type)
  expect(url).toMatch(/^https:\/\/qc\.example\.com\/api\//)
  expect(page_url).toMatch(/^https:\/\/qc\.example\.com\/(?!api)/)
})

test('the narrowest thing that has an address is named', () => {
  const batch = `${BASE}/projects/p/batches/b`
  expect(linksOf('file.received')).toEqual({
    url: `${BASE}/api/projects/p/batches/b/files/s`,
    page_url: `${batch}/review?file=s`,
  })
  expect(linksOf('comment.added').page_url).toBe(`${batch}/review?file=f#comment=s`)
  expect(linksOf('batch.submitted').page_url).toBe(batch)
  // The file was refused and is nowhere.
  expect(linksOf('upload.rejected').page_url).toBe(batch)
  expect(linksOf('upload_link.created')).toEqual({ url: `${BASE}/api/upload-links/s`, page_url: batch })
  expect(linksOf('estimate.approved').url).toBe(`${BASE}/api/cost-estimates/s`)
  expect(eventLinks(BASE, { ...about, type: 'user.created', projectId: null, batchId: null })).toEqual({
    url: null,
    page_url: null,
  })
})
