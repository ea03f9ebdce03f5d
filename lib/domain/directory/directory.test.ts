import { describe, expect, it } from 'vitest'
import { testSql } from '@/db/testing'
import { makeAgency, makeCampaign, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { createAgency, createCampaign, updateAgency, updateCampaign } from './commands'
import { getAgency, getCampaign, listAgencies, listCampaigns } from './queries'

const administrator = () => makeUser({ role: 'administrator' })
const nowhere = '01890000-0000-7000-8000-000000000000'

describe('agencies', () => {
  it('are read by anyone signed in, newest first, page by page', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    const [first, second, third] = [await makeAgency(), await makeAgency(), await makeAgency()]
    const page = await listAgencies.execute(as(viewer), {}, { limit: '2' })
    expect(page.agencies.map(({ id }) => id)).toEqual([third.id, second.id])
    const rest = await listAgencies.execute(as(viewer), {}, { limit: '2', cursor: page.next_cursor })
    expect(rest.agencies[0]?.id).toBe(first.id)
    expect(rest.next_cursor).toBeNull()
    await expectRefusal(listAgencies.execute(as('anonymous'), {}), 'unauthenticated')
  })

  it('are no more than a thousand, where no limit is named, with the cursor of the others', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    await testSql`insert into agencies (id, name, code) select uuidv7(), 'One of many ' || n, 'MANY-' || n from generate_series(1, 1001) n`
    const first = await listAgencies.execute(as(viewer), {})
    expect(first.agencies).toHaveLength(1000)
    const rest = await listAgencies.execute(as(viewer), {}, { cursor: first.next_cursor })
    const all = [...first.agencies, ...rest.agencies].filter(({ code }) => code.startsWith('MANY-'))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1001)
    await testSql`delete from agencies where code like 'MANY-%'`
  })

  it('are found by a part of their name or code, in which % means itself', async () => {
    const viewer = await makeUser({ role: 'viewer' })
    const agency = await makeAgency({ name: 'Hundred % Honest', code: 'HUND' })
    const found = async (q: string) => (await listAgencies.execute(as(viewer), {}, { q })).agencies.map(({ id }) => id)
    expect(await found('d % h')).toEqual([agency.id])
    expect(await found('hun')).toEqual([agency.id])
    expect(await found('d %x')).toEqual([])
    expect(await found('H_ND')).toEqual([])
  })

  it('are added by administrators only, and the addition is on record', async () => {
    const admin = await administrator()
    const agency = await createAgency.execute(as(admin), {}, { name: '  North Light ', code: 'NORTH-1' })
    expect(agency).toMatchObject({ name: 'North Light', code: 'NORTH-1' })
    expect(await getAgency.execute(as(admin), { agency_id: agency.id })).toEqual(agency)
    expect(await eventsAbout(agency.id)).toMatchObject([{ type: 'agency.created', actorId: admin.id }])
    for (const role of ['viewer', 'operator', 'coordinator'] as const) {
      const context = as(await makeUser({ role }))
      await expectRefusal(createAgency.execute(context, {}, { name: 'Mine', code: 'M' }), 'forbidden')
      await expectRefusal(updateAgency.execute(context, { agency_id: agency.id }, { name: 'Mine' }), 'forbidden')
    }
  })

  it.each([
    [{}, ['name', 'code']],
    [{ name: ' ', code: 'A_B' }, ['name', 'code']],
    [{ name: 'x'.repeat(201), code: 'x'.repeat(41) }, ['name', 'code']],
    [{ name: 'Bell\u0007', code: '' }, ['name', 'code']],
    [{ name: 'Fine', code: 'FINE', owner: 'me' }, ['owner']],
    [{ name: 7, code: null }, ['name', 'code']],
  ])('refuse %j, naming what is wrong', async (input, fields) => {
    await expectRefusal(createAgency.execute(as(await administrator()), {}, input), 'validation_failed', fields)
  })

  it('have a name and a code of their own, whatever the case, and both errors are reported at once', async () => {
    const taken = await makeAgency({ name: 'Ærø Media', code: 'AERO' })
    const admin = await administrator()
    const again = { name: 'ærø media', code: 'aero' }
    await expectRefusal(createAgency.execute(as(admin), {}, again), 'validation_failed', ['name', 'code'])
    const other = await makeAgency()
    await expectRefusal(
      updateAgency.execute(as(admin), { agency_id: other.id }, { code: 'Aero' }),
      'validation_failed',
      ['code'],
    )
    const same = await updateAgency.execute(as(admin), { agency_id: taken.id }, { name: 'ÆRØ Media' })
    expect(same.name).toBe('ÆRØ Media')
  })

  it('get in once when two with one code are added at the same moment', async () => {
    const context = as(await administrator())
    const both = await Promise.allSettled([
      createAgency.execute(context, {}, { name: 'Twin A', code: 'TWIN' }),
      createAgency.execute(context, {}, { name: 'Twin B', code: 'TWIN' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = both.find((outcome) => outcome.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'validation_failed', facts: { errors: [{ path: 'code' }] } })
  })

  it('keep what was before on record, and record nothing when nothing changes', async () => {
    const admin = await administrator()
    const agency = await makeAgency({ name: 'Before', code: 'BEF' })
    await updateAgency.execute(as(admin), { agency_id: agency.id }, { name: 'After' })
    await updateAgency.execute(as(admin), { agency_id: agency.id }, { name: 'After', code: 'BEF' })
    const events = await eventsAbout(agency.id)
    expect(events.map(({ data }) => data)).toEqual([
      { name: 'After', before: { name: 'Before' }, after: { name: 'After' } },
    ])
  })

  it('that do not exist are not found, whatever the id looks like', async () => {
    const admin = as(await administrator())
    for (const agency_id of [nowhere, 'x', '../users', '']) {
      await expectRefusal(getAgency.execute(admin, { agency_id }), 'not_found')
      await expectRefusal(updateAgency.execute(admin, { agency_id }, { name: 'x' }), 'not_found')
    }
  })
})

describe('campaigns', () => {
  it('belong to an agency and are listed by it', async () => {
    const admin = await administrator()
    const agency = await makeAgency()
    await makeCampaign()
    const campaign = await createCampaign.execute(as(admin), {}, { agency_id: agency.id, name: 'Spring', code: 'SPR' })
    expect(campaign.agency).toEqual({ id: agency.id, name: agency.name })
    const viewer = as(await makeUser({ role: 'viewer' }))
    expect(await listCampaigns.execute(viewer, {}, { agency_id: agency.id })).toEqual({
      campaigns: [campaign],
      next_cursor: null,
    })
    expect(await getCampaign.execute(viewer, { campaign_id: campaign.id })).toEqual(campaign)
    expect(await eventsAbout(campaign.id)).toMatchObject([{ type: 'campaign.created' }])
  })

  it('share a code only across agencies', async () => {
    const admin = as(await administrator())
    const campaign = await makeCampaign({ code: 'SUMMER' })
    const input = { name: 'Summer again', code: 'summer' }
    await expectRefusal(
      createCampaign.execute(admin, {}, { ...input, agency_id: campaign.agencyId }),
      'validation_failed',
      ['code'],
    )
    const elsewhere = await createCampaign.execute(admin, {}, { ...input, agency_id: (await makeAgency()).id })
    expect(elsewhere.code).toBe('summer')
    const second = await makeCampaign({ agencyId: campaign.agencyId })
    await expectRefusal(
      updateCampaign.execute(admin, { campaign_id: second.id }, { code: 'Summer' }),
      'validation_failed',
      ['code'],
    )
  })

  it('need an agency that exists, and stay with it', async () => {
    const admin = as(await administrator())
    await expectRefusal(
      createCampaign.execute(admin, {}, { agency_id: nowhere, name: 'Lost', code: 'LOST' }),
      'validation_failed',
      ['agency_id'],
    )
    const campaign = await makeCampaign()
    await expectRefusal(
      updateCampaign.execute(admin, { campaign_id: campaign.id }, { agency_id: (await makeAgency()).id }),
      'validation_failed',
      ['agency_id'],
    )
  })

  it('are changed by administrators only, and the change is on record', async () => {
    const campaign = await makeCampaign({ name: 'Old' })
    const coordinator = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(updateCampaign.execute(coordinator, { campaign_id: campaign.id }, { name: 'New' }), 'forbidden')
    const admin = as(await administrator())
    const changed = await updateCampaign.execute(admin, { campaign_id: campaign.id }, { name: 'New' })
    expect(changed.name).toBe('New')
    expect(await eventsAbout(campaign.id)).toMatchObject([
      { type: 'campaign.updated', data: { before: { name: 'Old' }, after: { name: 'New' } } },
    ])
    await expectRefusal(updateCampaign.execute(admin, { campaign_id: nowhere }, { name: 'New' }), 'not_found')
  })
})
