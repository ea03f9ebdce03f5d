import { describe, expect, it } from 'vitest'
import { makeAgency, makeBatch, makeEstimate, makeFile, makeProject, makeUser } from '@/fixtures/factories'
import { as, expectRefusal } from '../testing'
import { search } from './queries'

describe('search', () => {
  it('finds projects, batches, files, estimates, people and agencies by a part of their name, as one may see them', async () => {
    const member = await makeUser({ role: 'viewer', name: 'Zanzibar Vera' })
    const agency = await makeAgency({ name: 'Zanzibar Studio' })
    const project = await makeProject({ members: [member], name: 'Zanzibar launch', agencyId: agency.id })
    const batch = await makeBatch({ projectId: project.id, name: 'zanzibar banners' })
    const file = await makeFile(batch, { name: 'hero_ZANZIBAR_v01.png' })
    await makeFile(batch, { name: 'hero_zanzibar_v00.png', isCurrent: false })
    const estimate = await makeEstimate({ projectId: project.id, createdBy: member.id, title: 'Campaign in Zanzibar' })
    const found = async (by: typeof member, q: string) =>
      (await search.execute(as(by), {}, { q })).results.map(({ kind, id }) => [kind, id])
    const own = [
      ['project', project.id],
      ['batch', batch.id],
      ['file', file.id],
      ['estimate', estimate.id],
    ]
    expect(await found(member, 'zanzibar')).toEqual(own)
    expect(await found(await makeUser({ role: 'coordinator' }), 'zanzibar')).toEqual([])
    expect(await found(await makeUser({ role: 'administrator' }), 'zanzibar')).toEqual([
      ...own,
      ['person', member.id],
      ['agency', agency.id],
    ])
    expect(await found(member, 'zanzi%bar')).toEqual([])
    expect(await found(member, estimate.number)).toEqual([['estimate', estimate.id]])
    const { results } = await search.execute(as(member), {}, { q: 'hero' })
    expect(results).toEqual([
      {
        kind: 'file',
        id: file.id,
        name: 'hero_ZANZIBAR_v01.png',
        hint: 'Zanzibar launch, zanzibar banners',
        project_id: project.id,
        batch_id: batch.id,
      },
    ])
  })

  it('wants something to search for', async () => {
    const user = as(await makeUser({ role: 'viewer' }))
    for (const input of [{}, { q: '' }, { q: ' ' }, { q: '\0' }, { q: 'x'.repeat(201) }]) {
      await expectRefusal(search.execute(user, {}, input), 'invalid_query', ['q'])
    }
  })
})
