import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { events } from '@/db/schema/events'
import { makeMediaCategory, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { createMediaCategory, updateMediaCategory, updateServiceSettings } from './commands'
import { getMediaCategory, getServiceSettings, listMediaCategories } from './queries'

const administrator = async () => as(await makeUser({ role: 'administrator' }))
const profiles = (mediaCategoryId: string) =>
  database()
    .db.select()
    .from(preQcProfiles)
    .where(eq(preQcProfiles.mediaCategoryId, mediaCategoryId))
    .orderBy(asc(preQcProfiles.version))

let made = 0
const name = () => `Banners ${++made}`

describe('a media category', () => {
  it('needs only a name: any portable name, every type, no limit of its own, Pre-QC on', async () => {
    const admin = await administrator()
    const category = await createMediaCategory.execute(admin, {}, { name: name() })
    expect(category).toMatchObject({
      naming_template: null,
      media_types: [],
      max_file_size: null,
      pre_qc: { enabled: true, checks: {} },
      profile_version: 1,
    })
    const viewer = as(await makeUser({ role: 'viewer' }))
    expect(await getMediaCategory.execute(viewer, { media_category_id: category.id })).toEqual(category)
    expect((await listMediaCategories.execute(viewer, {})).media_categories[0]).toEqual(category)
    expect(await profiles(category.id)).toMatchObject([{ version: 1, settings: { enabled: true, checks: {} } }])
    expect(await eventsAbout(category.id)).toMatchObject([{ type: 'media_category.created' }])
  })

  it('holds a naming template, types, a limit and the settings of checks', async () => {
    const input = {
      name: name(),
      naming_template: '{agency}_{title}_{width}x{height}_v{version}.{ext}',
      media_types: ['image/png', 'image/jpeg', 'image/png'],
      max_file_size: 150_000,
      pre_qc: { enabled: true, checks: { dimension_check: { enabled: true, severity: 'fail', thresholds: {} } } },
    }
    const category = await createMediaCategory.execute(await administrator(), {}, input)
    expect(category).toMatchObject({ ...input, media_types: ['image/png', 'image/jpeg'] })
  })

  it.each([
    [{ naming_template: '{agency' }, ['naming_template']],
    [{ naming_template: '{planet}.{ext}' }, ['naming_template']],
    [{ media_types: ['image/png', 'application/x-msdownload'] }, ['media_types.1']],
    [{ max_file_size: 0 }, ['max_file_size']],
    [{ max_file_size: 1.5 }, ['max_file_size']],
    [{ pre_qc: { checks: { invented_check: {} } } }, ['pre_qc.checks.invented_check']],
    [{ pre_qc: { checks: { 'no check': {} } } }, ['pre_qc.checks.no check']],
    [{ pre_qc: { checks: { dimension_check: { severity: 'deadly' } } } }, ['pre_qc.checks.dimension_check.severity']],
    [
      { pre_qc: { checks: { dimension_check: { thresholds: { wdith: 300 } } } } },
      ['pre_qc.checks.dimension_check.thresholds.wdith'],
    ],
    [{ pre_qc: { on: true } }, ['pre_qc.on']],
    [{ profile_version: 7 }, ['profile_version']],
  ])('is refused with %j, and so is the change to it', async (input, fields) => {
    const admin = await administrator()
    await expectRefusal(createMediaCategory.execute(admin, {}, { name: name(), ...input }), 'validation_failed', fields)
    const { id } = await makeMediaCategory()
    await expectRefusal(
      updateMediaCategory.execute(admin, { media_category_id: id }, input),
      'validation_failed',
      fields,
    )
    expect(await profiles(id)).toHaveLength(1)
  })

  it('gets a new profile version with every change that files are evaluated by, and keeps the old ones', async () => {
    const admin = await administrator()
    const { id } = await makeMediaCategory({ preQc: { enabled: true, checks: { blank_check: { enabled: true } } } })
    const change = (input: unknown) => updateMediaCategory.execute(admin, { media_category_id: id }, input)
    const renamed = name()
    expect(await change({ name: renamed })).toMatchObject({ name: renamed, profile_version: 1 })
    const off = await change({ pre_qc: { enabled: false } })
    expect(off).toMatchObject({
      profile_version: 2,
      pre_qc: { enabled: false, checks: { blank_check: { enabled: true } } },
    })
    expect(await change({ pre_qc: { enabled: false } })).toEqual(off)
    expect(await change({ pre_qc: { checks: {} } })).toMatchObject({ pre_qc: { enabled: false, checks: {} } })
    expect(await change({ max_file_size: 5000 })).toMatchObject({ profile_version: 4 })
    expect(await change({ max_file_size: null })).toMatchObject({ profile_version: 5 })
    expect(await profiles(id)).toMatchObject([
      { version: 1, settings: { enabled: true } },
      { version: 2, settings: { enabled: false, checks: { blank_check: { enabled: true } } } },
      { version: 3, settings: { enabled: false, checks: {} } },
      { version: 4 },
      { version: 5 },
    ])
    expect((await eventsAbout(id)).map(({ type, data }) => [type, data.profile_version])).toEqual(
      [1, 2, 3, 4, 5].map((version) => ['media_category.updated', version]),
    )
  })

  it('takes no version for the same settings with their keys in another order', async () => {
    const admin = await administrator()
    const checks = { dimension_check: { severity: 'fail', enabled: true }, blank_check: { enabled: false } } as const
    const { id } = await makeMediaCategory({ preQc: { enabled: true, checks } })
    const reordered = { blank_check: { enabled: false }, dimension_check: { enabled: true, severity: 'fail' } }
    const same = await updateMediaCategory.execute(
      admin,
      { media_category_id: id },
      { pre_qc: { checks: reordered, enabled: true } },
    )
    expect(same.profile_version).toBe(1)
  })

  it('gets two versions from two changes at the same moment, and neither is lost', async () => {
    const admin = await administrator()
    const { id } = await makeMediaCategory()
    const change = (input: unknown) => updateMediaCategory.execute(admin, { media_category_id: id }, input)
    await Promise.all([change({ max_file_size: 10 }), change({ pre_qc: { enabled: false } })])
    expect(await getMediaCategory.execute(admin, { media_category_id: id })).toMatchObject({
      max_file_size: 10,
      pre_qc: { enabled: false },
      profile_version: 3,
    })
  })

  it('has a name of its own', async () => {
    const admin = await administrator()
    const taken = await makeMediaCategory({ name: `Clips ${++made}` })
    const input = { name: taken.name.toUpperCase() }
    await expectRefusal(createMediaCategory.execute(admin, {}, input), 'validation_failed', ['name'])
    const { id } = await makeMediaCategory()
    await expectRefusal(updateMediaCategory.execute(admin, { media_category_id: id }, input), 'validation_failed', [
      'name',
    ])
  })

  it('is changed by administrators only', async () => {
    const { id } = await makeMediaCategory()
    for (const role of ['viewer', 'operator', 'coordinator'] as const) {
      const by = as(await makeUser({ role }))
      await expectRefusal(createMediaCategory.execute(by, {}, { name: name() }), 'forbidden')
      await expectRefusal(updateMediaCategory.execute(by, { media_category_id: id }, { name: name() }), 'forbidden')
    }
    const admin = await administrator()
    for (const media_category_id of ['01890000-0000-7000-8000-000000000000', 'x']) {
      await expectRefusal(updateMediaCategory.execute(admin, { media_category_id }, { name: name() }), 'not_found')
      await expectRefusal(getMediaCategory.execute(admin, { media_category_id }), 'not_found')
    }
  })
})

describe('the settings of the service', () => {
  it('begin with Pre-QC on, are switched by administrators, and every switch is on record once', async () => {
    const admin = await administrator()
    expect(await getServiceSettings.execute(admin, {})).toEqual({
      pre_qc_enabled: true,
      waivers_need_second: false,
      updated_at: null,
    })
    const coordinator = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(getServiceSettings.execute(coordinator, {}), 'forbidden')
    await expectRefusal(updateServiceSettings.execute(coordinator, {}, { pre_qc_enabled: false }), 'forbidden')
    await expectRefusal(updateServiceSettings.execute(admin, {}, { pre_qc_enabled: 'no' }), 'validation_failed', [
      'pre_qc_enabled',
    ])
    const off = () => updateServiceSettings.execute(admin, {}, { pre_qc_enabled: false })
    await Promise.all([off(), off()])
    expect((await getServiceSettings.execute(admin, {})).pre_qc_enabled).toBe(false)
    const recorded = await database().db.select().from(events).where(eq(events.type, 'settings.updated'))
    expect(recorded.map(({ data }) => data)).toEqual([
      { before: { pre_qc_enabled: true }, after: { pre_qc_enabled: false } },
    ])
  })
})
