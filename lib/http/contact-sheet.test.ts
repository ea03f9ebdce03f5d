import { finished } from 'node:stream/promises'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fillBatch, makeBatch, makeFile, makeProject, makeResult, makeToken, makeUser } from '@/fixtures/factories'
import { closePrinter } from '@/lib/adapters/printer/printer'
import { FILES_EACH } from '@/lib/domain/pre-qc/contact-sheet'
import { readPdf } from '@/lib/pdf/testing'
import { service } from '@/lib/service'
import { send } from './testing'

/** The contact sheet of a batch: its images and verdicts, in parts, for those who see the batch. */

afterAll(closePrinter)

async function scene() {
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [viewer] })
  const batch = await makeBatch({ projectId: project.id, name: 'Posters' })
  const { token } = await makeToken(viewer)
  const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/contact-sheet/route')
  const params = { project_id: project.id, batch_id: batch.id }
  const ask = (search = '', as = token) => send(route.GET, 'GET', `/contact-sheet${search}`, { token: as, params })
  return { batch, ask }
}

async function storeThumbnail(fileId: string) {
  const image = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#37a' } })
    .webp()
    .toBuffer()
  const staged = await service().ports.blobs.stage()
  const writable = await staged.writable()
  writable.end(image)
  await finished(writable)
  await service().ports.blobs.commit(staged, `derived/${fileId}/thumbnail.webp`)
}

test('shows the current files by name, with what was decided and found', async () => {
  const { batch, ask } = await scene()
  const previews = { thumbnail: true, preview: true }
  const drawn = await makeFile(batch, { name: 'b.png', previews, decision: 'approved' })
  await storeThumbnail(drawn.id)
  await makeResult(drawn, {
    status: 'completed',
    summary: 'fail',
    checks: [
      {
        check_id: 'a_check',
        label: 'A check',
        status: 'fail',
        confidence: 1,
        details: 'It is not.',
        severity: 'blocking',
      },
    ],
  })
  // Its image is lost: the sheet is made without it.
  await makeFile(batch, { name: 'a.png', previews })
  await makeFile(batch, { name: 'old.png', isCurrent: false })
  const response = await ask()
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  expect(response.headers.get('content-disposition')).toContain('Posters, contact sheet.pdf')
  const { pages } = await readPdf(new Uint8Array(await response.arrayBuffer()))
  const text = pages[0]?.text ?? ''
  expect(text.indexOf('a.png')).toBeGreaterThan(0)
  expect(text.indexOf('b.png')).toBeGreaterThan(text.indexOf('a.png'))
  expect(text).not.toContain('old.png')
  expect(text).toContain('Checks: fail')
  expect(pages[0]?.images).toHaveLength(1)
})

test('of a large batch comes in parts, of which there is no other than it has', async () => {
  const { batch, ask } = await scene()
  await fillBatch(batch, FILES_EACH + 3)
  const second = await ask('?part=2')
  expect(second.headers.get('content-disposition')).toContain('contact sheet, part 2 of 2.pdf')
  expect((await readPdf(new Uint8Array(await second.arrayBuffer()))).pages).toHaveLength(1)
  const third = await ask('?part=3')
  expect(third.status).toBe(400)
  expect((await third.json()).detail).toContain('there are 2 parts')
  expect((await ask('?part=0')).status).toBe(400)
  expect((await ask('?part=all')).status).toBe(400)
})

test('is an empty sheet for an empty batch, and not there for who does not see it', async () => {
  const { ask } = await scene()
  expect((await ask()).status).toBe(200)
  const { token } = await makeToken(await makeUser({ role: 'coordinator' }))
  expect((await ask('', token)).status).toBe(404)
})
