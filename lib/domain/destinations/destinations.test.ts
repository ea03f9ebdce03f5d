import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { destinations } from '@/db/schema/destinations'
import { makeBatch, makeDestination, makeMediaCategory, makeProject, makeUser } from '@/fixtures/factories'
import { updateBatch } from '../batches/commands'
import { createMediaCategory, updateMediaCategory } from '../settings/commands'
import { as, eventsAbout, expectRefusal } from '../testing'
import { importDestination, withdrawDestination } from './commands'
import { compareVersions, getDestination, listDestinations } from './queries'

let made = 0
const key = () => `channel_${++made}`
const document = (id: string, changes: object = {}) =>
  JSON.stringify(
    {
      id,
      version: 1,
      title: 'Own channel',
      family: 'broadcast',
      kinds: ['video'],
      source: { publisher: 'Own', document: 'Delivery', date: '2026', url: 'https://example.com/delivery' },
      maintained_by: 'Ann',
      requirements: [{ check: 'loudness_check', thresholds: { target_lufs: -23 }, clause: '4.2' }],
      ...changes,
    },
    null,
    2,
  )
const administrator = async () => as(await makeUser({ role: 'administrator', name: 'Ann' }))
const read = async (id: string, version?: number) =>
  getDestination.execute(as(await makeUser({ role: 'viewer' })), { destination_id: id }, version ? { version } : {})

describe('the destinations', () => {
  it('come with Greenroom, imported ones first, and each can be read', async () => {
    const own = await makeDestination()
    const { destinations: all } = await listDestinations.execute(as(await makeUser({ role: 'viewer' })), {})
    expect(all[0]).toMatchObject({ origin: 'imported' })
    expect(all.find(({ id }) => id === own.key)).toMatchObject({ origin: 'imported', version: 1 })
    expect(all.at(-1)).toMatchObject({ origin: 'library', withdrawn_at: null })
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(await read('ebu_r128_s1')).toMatchObject({
      source: { publisher: 'European Broadcasting Union (EBU)' },
      requirements: [{ check: 'loudness_check', label: 'Loudness', thresholds: { target_lufs: -23 } }, {}, {}],
      versions: [{ version: 1, imported_by: null, imported_at: null }],
    })
  })

  it.each(['no_such', '', '../x', 'a\0b', '\ud800'])('there is none called %j', async (id) => {
    await expectRefusal(read(id), 'not_found')
  })
})

describe('importing a specification', () => {
  it('stores it, says who did, and can be read by all', async () => {
    const [admin, id] = [await administrator(), key()]
    const imported = await importDestination.execute(admin, {}, { document: document(id) })
    expect(imported).toMatchObject({ id, version: 1, origin: 'imported', versions: [{ imported_by: { name: 'Ann' } }] })
    expect(await read(id)).toEqual(imported)
  })

  it('replaces it by a higher version; earlier ones stay readable', async () => {
    const [admin, id] = [await administrator(), key()]
    await importDestination.execute(admin, {}, { document: document(id) })
    const second = document(id, { version: 3, title: 'Own channel, from May' })
    expect(await importDestination.execute(admin, {}, { document: second })).toMatchObject({
      version: 3,
      versions: [{ version: 3 }, { version: 1 }],
    })
    expect(await read(id)).toMatchObject({ version: 3, title: 'Own channel, from May' })
    expect(await read(id, 1)).toMatchObject({ version: 1, title: 'Own channel' })
    await expectRefusal(read(id, 2), 'not_found')
    for (const version of [1, 2, 3]) {
      const again = importDestination.execute(admin, {}, { document: document(id, { version }) })
      const refused = await expectRefusal(again, 'validation_failed', ['document.version'])
      expect(refused.detail).toContain('version 3')
    }
  })

  it('takes one of two that are imported at once', async () => {
    const [admin, id] = [await administrator(), key()]
    const both = await Promise.allSettled(
      ['First', 'Second'].map((title) => importDestination.execute(admin, {}, { document: document(id, { title }) })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = both.find((one) => one.status === 'rejected')
    await expectRefusal(Promise.reject(refused?.reason), 'validation_failed', ['document.version'])
    expect((await read(id)).versions).toHaveLength(1)
  })

  it('names each mistake by its line and stores nothing', async () => {
    const id = key()
    const wrong = document(id, { family: 'radio', version: 0 })
    const refused = await expectRefusal(
      importDestination.execute(await administrator(), {}, { document: wrong }),
      'validation_failed',
      ['document.family', 'document.version'],
    )
    expect(refused.facts.errors?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Line 3: version must be at least 1; got “0”/),
      expect.stringMatching(/^Line 5: family must be one of .*; got “radio”/),
    ])
    await expectRefusal(importDestination.execute(await administrator(), {}, { document: '{' }), 'validation_failed', [
      'document',
    ])
    await expectRefusal(read(id), 'not_found')
  })

  it('leaves the ids of the library alone, and is for administrators', async () => {
    const taken = importDestination.execute(await administrator(), {}, { document: document('ebu_r128') })
    await expectRefusal(taken, 'validation_failed', ['document.id'])
    const coordinator = as(await makeUser({ role: 'coordinator' }))
    await expectRefusal(importDestination.execute(coordinator, {}, { document: document(key()) }), 'forbidden')
  })

  it('is on the audit trail, and so is withdrawing', async () => {
    const [admin, own] = [await administrator(), await makeDestination()]
    await importDestination.execute(admin, {}, { document: document(own.key, { version: 2 }) })
    await withdrawDestination.execute(admin, { destination_id: own.key }, undefined)
    await withdrawDestination.execute(admin, { destination_id: own.key }, undefined)
    const events = await eventsOf(own.key)
    expect(events).toEqual([
      ['destination.imported', { name: 'Own channel', destination_id: own.key, version: 2, before: 1 }],
      ['destination.withdrawn', { name: 'Own channel', destination_id: own.key, version: 2 }],
    ])
  })
})

describe('withdrawing', () => {
  it('an imported one: it stays readable, and comes back with its next version', async () => {
    const [admin, own] = [await administrator(), await makeDestination()]
    const withdrawn = await withdrawDestination.execute(admin, { destination_id: own.key }, undefined)
    expect(withdrawn.withdrawn_at).not.toBeNull()
    expect(await read(own.key)).toEqual(withdrawn)
    await importDestination.execute(admin, {}, { document: document(own.key, { version: 2 }) })
    expect(await read(own.key)).toMatchObject({ version: 2, withdrawn_at: null })
  })

  it('one that comes with Greenroom is refused', async () => {
    const withdrawing = withdrawDestination.execute(await administrator(), { destination_id: 'ebu_r128' }, undefined)
    await expectRefusal(withdrawing, 'invalid_state')
  })
})

describe('naming destinations', () => {
  it('a media category does, each once; its profile stays the same', async () => {
    const admin = await administrator()
    const category = await createMediaCategory.execute(
      admin,
      {},
      { name: key(), destinations: ['ebu_r128', 'ebu_r128'] },
    )
    expect(category.destinations).toEqual(['ebu_r128'])
    const params = { media_category_id: category.id }
    const changed = await updateMediaCategory.execute(admin, params, { destinations: ['atsc_a85', 'youtube_video'] })
    expect(changed).toMatchObject({ destinations: ['atsc_a85', 'youtube_video'], profile_version: 1 })
    expect((await eventsAbout(category.id)).at(-1)).toMatchObject({
      type: 'media_category.updated',
      data: { before: { destinations: ['ebu_r128'] }, after: { destinations: ['atsc_a85', 'youtube_video'] } },
    })
    await expectRefusal(
      updateMediaCategory.execute(admin, params, { destinations: ['ebu_r128', 'no_such'] }),
      'validation_failed',
      ['destinations.1'],
    )
  })

  it('a batch does instead of its media category, or none of its own', async () => {
    const coordinator = await makeUser()
    const project = await makeProject({ members: [coordinator] })
    const batch = await makeBatch({ projectId: project.id, mediaCategoryId: (await makeMediaCategory()).id })
    const params = { project_id: project.id, batch_id: batch.id }
    const update = (destinations: string[] | null) => updateBatch.execute(as(coordinator), params, { destinations })
    expect(await update(['ebu_r128'])).toMatchObject({ destinations: ['ebu_r128'] })
    expect(await update([])).toMatchObject({ destinations: [] })
    expect(await update(null)).toMatchObject({ destinations: null })
    await expectRefusal(update(['\ufffdno']), 'validation_failed', ['destinations.0'])
    await expectRefusal(update(Array.from({ length: 101 }, (_, index) => `d${index}`)), 'validation_failed', [
      'destinations',
    ])
  })

  it('a withdrawn one stays where it was, and is chosen nowhere anew', async () => {
    const [admin, own] = [await administrator(), await makeDestination()]
    const batch = await makeBatch({ destinations: [own.key] })
    await withdrawDestination.execute(admin, { destination_id: own.key }, undefined)
    const params = { project_id: batch.projectId, batch_id: batch.id }
    const both = await updateBatch.execute(admin, params, { destinations: [own.key, 'ebu_r128'] })
    expect(both.destinations).toEqual([own.key, 'ebu_r128'])
    await expectRefusal(
      createMediaCategory.execute(admin, {}, { name: key(), destinations: [own.key] }),
      'validation_failed',
      ['destinations.0'],
    )
  })
})

/** The events about any version of a destination. */
async function eventsOf(id: string) {
  const rows = await database().db.select().from(destinations).where(eq(destinations.key, id))
  const all = (await Promise.all(rows.map((row) => eventsAbout(row.id)))).flat()
  return all.map(({ type, data }) => [type, data])
}

describe('two versions of a destination', () => {
  it('can be compared by everybody, the newest unless another is asked for', async () => {
    const [admin, id] = [await administrator(), key()]
    const requirements = [{ check: 'loudness_check', thresholds: { target_lufs: -24 }, clause: '4.2' }]
    await importDestination.execute(admin, {}, { document: document(id) })
    await importDestination.execute(admin, {}, { document: document(id, { version: 4, requirements }) })
    const viewer = as(await makeUser({ role: 'viewer' }))
    const compare = (input: object) => compareVersions.execute(viewer, { destination_id: id }, input)
    expect(await compare({ from: 1 })).toMatchObject({
      destination_id: id,
      from: 1,
      to: 4,
      fields: [],
      requirements: [
        {
          label: 'Loudness',
          before: { thresholds: { target_lufs: -23 } },
          after: { thresholds: { target_lufs: -24 } },
        },
      ],
    })
    expect(await compare({ from: 4, to: 1 })).toMatchObject({ from: 4, to: 1 })
    expect((await compare({ from: 4 })).requirements).toEqual([])
    await expectRefusal(compare({ from: 2 }), 'not_found')
    await expectRefusal(compare({ from: 1, to: 3 }), 'not_found')
    await expectRefusal(compare({}), 'invalid_query', ['from'])
  })
})
