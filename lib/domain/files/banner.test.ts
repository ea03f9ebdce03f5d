import { expect, test } from 'vitest'
import { makeBatch, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { openBanner, openBannerPart } from './banner'

test('the address of a banner opens that one archive for two hours, and what is no banner has none', async () => {
  const reviewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [reviewer] })
  const batch = await makeBatch({ projectId: project.id })
  const media = {
    entryPoints: ['ad/readme.html', 'ad/index.html'],
    documents: [{ path: 'ad/index.html', text: '<meta name="ad.size" content="width=300,height=250">' }],
  }
  const ad = await makeFile(batch, { name: 'ad.zip', kind: 'archive', media })
  const place = { project_id: project.id, batch_id: batch.id }
  const now = new Date('2026-11-20T10:00:00.000Z')
  const opened = await openBanner.execute(as(reviewer, { now }), { ...place, file_id: ad.id })
  expect(opened).toMatchObject({ width: 300, height: 250, expires_at: '2026-11-20T12:00:00.000Z' })
  const token = opened.url.slice('http://localhost:3000/api/banners/'.length, -'/ad/index.html'.length)
  const ask = (at: Date, pass = token) =>
    openBannerPart.execute(as('anonymous', { now: at }), { token: pass, path: 'x.js' })
  expect((await ask(new Date('2026-11-20T11:59:59.999Z'))).file.id).toBe(ad.id)
  await expectRefusal(ask(new Date('2026-11-20T12:00:00.000Z')), 'not_found')
  for (const forged of ['', 'x', '{}', 'sealed null', 'sealed {"file":1,"until":9e15}', `sealed {"file":"${ad.id}"}`]) {
    await expectRefusal(ask(now, forged), 'not_found')
  }
  const plain = await makeFile(batch, { name: 'plain.png' })
  await expectRefusal(openBanner.execute(as(reviewer), { ...place, file_id: plain.id }), 'not_found')
  const bad = await makeFile(batch, { name: 'bad.zip', kind: 'archive', media, integrity: 'quarantined' })
  await expectRefusal(openBanner.execute(as(reviewer), { ...place, file_id: bad.id }), 'invalid_state')
})
