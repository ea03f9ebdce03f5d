import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { projects } from '@/db/schema/projects'
import {
  makeAgency,
  makeBatch,
  makeCampaign,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeUser,
} from '@/fixtures/factories'
import { PROJECT_STATUSES } from '@/lib/vocabulary'
import { as, eventsAbout, expectRefusal, unchangedSince } from '../testing'
import { createProject, updateProject } from './commands'
import { getProject, listProjects } from './queries'

const nowhere = '01890000-0000-7000-8000-000000000000'
const coordinator = () => makeUser({ role: 'coordinator' })

describe('creating a project', () => {
  it('needs a name and an agency, and makes its creator a member', async () => {
    const user = await coordinator()
    const agency = await makeAgency()
    const project = await createProject.execute(as(user), {}, { name: ' Spring ', agency_id: agency.id })
    expect(project).toMatchObject({
      name: 'Spring',
      status: 'active',
      agency: { id: agency.id, name: agency.name },
      campaign: null,
      media_category: null,
      created_by: { id: user.id, name: user.name },
      counts: { batches: 0, files: 0, open_batches: 0, estimates: 0 },
      members: [{ id: user.id, name: user.name, role: 'coordinator' }],
    })
    expect(await getProject.execute(as(user), { project_id: project.id })).toEqual(project)
    expect(await eventsAbout(project.id)).toMatchObject([
      { type: 'project.created', actorId: user.id, projectId: project.id },
    ])
  })

  it('takes a campaign of that agency and a media category', async () => {
    const [campaign, category] = [await makeCampaign(), await makeMediaCategory()]
    const input = {
      name: 'With all',
      agency_id: campaign.agencyId,
      campaign_id: campaign.id,
      media_category_id: category.id,
    }
    const project = await createProject.execute(as(await coordinator()), {}, input)
    expect(project.campaign).toEqual({ id: campaign.id, name: campaign.name })
    expect(project.media_category).toEqual({ id: category.id, name: category.name })
  })

  it('is for coordinators and administrators', async () => {
    const input = { name: 'Mine', agency_id: (await makeAgency()).id }
    for (const role of ['viewer', 'operator'] as const) {
      await expectRefusal(createProject.execute(as(await makeUser({ role })), {}, input), 'forbidden')
    }
    await expectRefusal(createProject.execute(as('anonymous'), {}, input), 'unauthenticated')
    await expectRefusal(createProject.execute(as(await coordinator(), { scope: 'read' }), {}, input), 'forbidden')
    expect(await createProject.execute(as(await makeUser({ role: 'administrator' })), {}, input)).toMatchObject({
      name: 'Mine',
    })
  })

  it('names every field that is wrong at once', async () => {
    const context = as(await coordinator())
    const refused = (input: unknown, fields: string[]) =>
      expectRefusal(createProject.execute(context, {}, input), 'validation_failed', fields)
    await refused({}, ['name', 'agency_id'])
    await refused({ name: '', agency_id: 'no id', owner: 'me' }, ['name', 'agency_id', 'owner'])
    await refused({ name: 'x'.repeat(201), agency_id: nowhere }, ['name'])
    await refused({ name: 'X', agency_id: nowhere, campaign_id: nowhere, media_category_id: nowhere }, [
      'agency_id',
      'campaign_id',
      'media_category_id',
    ])
    const refusal = await refused(
      { name: 'X', agency_id: (await makeAgency()).id, campaign_id: (await makeCampaign()).id },
      ['campaign_id'],
    )
    expect(refusal.detail).toContain('does not belong to the agency')
  })
})

describe('seeing projects', () => {
  it('is for members; for anybody else they do not exist, except for administrators', async () => {
    const [member, stranger] = [await makeUser({ role: 'viewer' }), await coordinator()]
    const project = await makeProject({ members: [member] })
    expect(await getProject.execute(as(member), { project_id: project.id })).toMatchObject({ id: project.id })
    expect((await listProjects.execute(as(member), {})).projects.map(({ id }) => id)).toEqual([project.id])
    expect((await listProjects.execute(as(stranger), {})).projects).toEqual([])
    await expectRefusal(getProject.execute(as(stranger), { project_id: project.id }), 'not_found')
    const administrator = as(await makeUser({ role: 'administrator' }))
    expect(await getProject.execute(administrator, { project_id: project.id })).toMatchObject({ id: project.id })
  })

  it('responds the same for what is hidden, what never was, and what is no id', async () => {
    const context = as(await coordinator())
    const hidden = await makeProject()
    for (const id of [hidden.id, nowhere, 'x', '', '%00']) {
      const refused = await expectRefusal(getProject.execute(context, { project_id: id }), 'not_found')
      expect(refused.detail.replace(id || '“”', '')).toContain('There is no project')
    }
  })

  it('finds them by status, agency and a part of a name', async () => {
    const user = await coordinator()
    const campaign = await makeCampaign({ name: 'Summer of 100% Love' })
    const make = (given: object) => makeProject({ members: [user], ...given })
    const one = await make({ name: 'Posters', agencyId: campaign.agencyId, campaignId: campaign.id })
    const two = await make({ name: 'Clips_a', status: 'on_hold' })
    const three = await make({ name: 'Clips-b' })
    const found = async (input: object) =>
      (await listProjects.execute(as(user), {}, input)).projects.map(({ id }) => id)
    expect(await found({})).toEqual([three.id, two.id, one.id])
    expect(await found({ status: 'on_hold' })).toEqual([two.id])
    expect(await found({ agency_id: campaign.agencyId })).toEqual([one.id])
    expect(await found({ q: 'CLIPS' })).toEqual([three.id, two.id])
    expect(await found({ q: 'clips_' })).toEqual([two.id])
    expect(await found({ q: '100%' })).toEqual([one.id])
    expect(await found({ q: 'clips', status: 'active' })).toEqual([three.id])
    await expectRefusal(listProjects.execute(as(user), {}, { status: 'paused' }), 'invalid_query', ['status'])
    await expectRefusal(listProjects.execute(as(user), {}, { sort: 'name' }), 'invalid_query', ['sort'])
  })

  it('page by page shows each once, also while new ones appear', async () => {
    const user = await coordinator()
    const all = []
    for (let i = 0; i < 7; i++) all.unshift((await makeProject({ members: [user] })).id)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await listProjects.execute(as(user), {}, { limit: '3', ...(cursor && { cursor }) })
      expect(page.projects.length).toBeLessThanOrEqual(3)
      seen.push(...page.projects.map(({ id }) => id))
      cursor = page.next_cursor
      await makeProject({ members: [user] })
    } while (cursor)
    expect(seen).toEqual(all)
    expect((await listProjects.execute(as(user), {}, {})).next_cursor).toBeNull()
    for (const input of [{ limit: '0' }, { limit: '501' }, { limit: '1.5' }, { limit: 'all' }, { cursor: 'abc' }]) {
      await expectRefusal(listProjects.execute(as(user), {}, input), 'invalid_query')
    }
  })

  it('counts batches and current files', async () => {
    const user = await coordinator()
    const project = await makeProject({ members: [user] })
    const open = await makeBatch({ projectId: project.id })
    await makeBatch({ projectId: project.id, status: 'approved' })
    await makeFile(open)
    await makeFile(open, { isCurrent: false })
    const { counts } = await getProject.execute(as(user), { project_id: project.id })
    expect(counts).toEqual({ batches: 2, files: 1, open_batches: 1, estimates: 0 })
  })
})

describe('changing a project', () => {
  it('moves it between any two statuses', async () => {
    const user = await coordinator()
    const { id } = await makeProject({ members: [user] })
    for (const from of PROJECT_STATUSES) {
      for (const to of PROJECT_STATUSES) {
        await database().db.update(projects).set({ status: from }).where(eq(projects.id, id))
        expect((await updateProject.execute(as(user), { project_id: id }, { status: to })).status).toBe(to)
      }
    }
  })

  it('refuses an unknown status with the list of those there are', async () => {
    const user = await coordinator()
    const { id } = await makeProject({ members: [user] })
    const refused = await expectRefusal(
      updateProject.execute(as(user), { project_id: id }, { status: 'paused' }),
      'validation_failed',
      ['status'],
    )
    for (const status of PROJECT_STATUSES) expect(refused.detail).toContain(status)
  })

  it('is for coordinators who are members', async () => {
    const [viewer, operator, stranger] = [
      await makeUser({ role: 'viewer' }),
      await makeUser({ role: 'operator' }),
      await coordinator(),
    ]
    const { id } = await makeProject({ members: [viewer, operator], name: 'Before' })
    const change = (by: typeof viewer) => updateProject.execute(as(by), { project_id: id }, { name: 'After' })
    await expectRefusal(change(viewer), 'forbidden')
    await expectRefusal(change(operator), 'forbidden')
    await expectRefusal(change(stranger), 'not_found')
    expect((await change(await makeUser({ role: 'administrator' }))).name).toBe('After')
  })

  it('keeps the campaign with its agency', async () => {
    const user = await coordinator()
    const campaign = await makeCampaign()
    const project = await makeProject({ members: [user], agencyId: campaign.agencyId, campaignId: campaign.id })
    const change = (input: object) => updateProject.execute(as(user), { project_id: project.id }, input)
    const other = await makeAgency()
    await expectRefusal(change({ agency_id: other.id }), 'validation_failed', ['campaign_id'])
    const moved = await change({ agency_id: other.id, campaign_id: null })
    expect(moved).toMatchObject({ agency: { id: other.id }, campaign: null })
  })

  it('is on record with before and after, once, and only when something changed', async () => {
    const user = await coordinator()
    const project = await makeProject({ members: [user], name: 'Before' })
    const change = (input: object) => updateProject.execute(as(user), { project_id: project.id }, input)
    await change({ name: 'After', status: 'on_hold' })
    await change({ name: 'After' })
    await change({})
    expect((await eventsAbout(project.id)).map(({ data }) => data)).toEqual([
      { name: 'After', before: { name: 'Before', status: 'active' }, after: { name: 'After', status: 'on_hold' } },
    ])
  })

  it('with an If-Match happens once when two send it at the same moment', async () => {
    const user = await coordinator()
    const { id } = await makeProject({ members: [user] })
    const precondition = unchangedSince(await getProject.execute(as(user), { project_id: id }))
    const both = await Promise.allSettled(
      ['one', 'two'].map((name) => updateProject.execute(as(user, { precondition }), { project_id: id }, { name })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({ code: 'stale' })
    expect(await eventsAbout(id)).toHaveLength(1)
  })

  it('leaves what another user changed at the same moment', async () => {
    const user = await coordinator()
    const { id } = await makeProject({ members: [user] })
    const change = (input: object) => updateProject.execute(as(user), { project_id: id }, input)
    await Promise.all([change({ name: 'New name' }), change({ status: 'on_hold' })])
    expect(await getProject.execute(as(user), { project_id: id })).toMatchObject({
      name: 'New name',
      status: 'on_hold',
    })
  })
})
