import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { database } from '@/db/client'
import { agencies } from '@/db/schema/directory'
import { testSql } from '@/db/testing'
import { makeAgency, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal, unchangedSince } from '../testing'
import { invalidState, notFound } from './errors'
import { command, type Finder, query } from './operation'

const agencyName = async (id: string) => {
  const [row] = await database().db.select().from(agencies).where(eq(agencies.id, id))
  return row?.name
}
const jobsFor = (marker: string) =>
  testSql`select 1 from graphile_worker.jobs j join graphile_worker._private_jobs p using (id) where p.payload ->> 'marker' = ${marker}`

function latch() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Sees nothing called "hidden". */
const onThing: Finder<'thing', string> = {
  params: ['thing'],
  async find(_tx, { thing }) {
    if (thing === 'hidden') throw notFound('thing', thing)
    return thing
  },
}

describe('the order in which an operation refuses', () => {
  const rename = command({
    name: 'renameThing',
    summary: '',
    permission: 'directory.manage',
    resource: onThing,
    input: z.strictObject({ name: z.string() }),
    run: async () => Promise.reject(invalidState('It is frozen.', 'frozen', ['thawed'])),
  })
  const run = (role: 'viewer' | 'administrator', thing: string, input: unknown) =>
    makeUser({ role }).then((user) => rename.execute(as(user), { thing }, input))

  it('is: who are you, is it there, may you, is it well-formed, is it possible', async () => {
    await expectRefusal(rename.execute(as('anonymous'), { thing: 'hidden' }, {}), 'unauthenticated')
    await expectRefusal(run('viewer', 'hidden', {}), 'not_found')
    await expectRefusal(run('viewer', 'shown', {}), 'forbidden')
    await expectRefusal(run('administrator', 'shown', {}), 'validation_failed', ['name'])
    await expectRefusal(run('administrator', 'shown', { name: 'x' }), 'invalid_state')
  })

  it('lets a token that may only read change nothing, for users of every role', async () => {
    const user = await makeUser({ role: 'administrator' })
    await expectRefusal(rename.execute(as(user, { scope: 'read' }), { thing: 'hidden' }, {}), 'forbidden')
  })

  it('says of what is deleted while it is read that it is not there', async () => {
    const agency = await makeAgency()
    const deleted = await makeAgency()
    const read = query({
      name: 'readAgency',
      summary: '',
      permission: 'projects.read',
      resource: {
        params: ['id'],
        async find(_tx, { id }: { id: string }) {
          if ((await agencyName(id)) === undefined) throw notFound('agency', id)
          return id
        },
      },
      async run(tx, { resource }) {
        if (resource === deleted.id) await tx.db.delete(agencies).where(eq(agencies.id, resource))
        throw new Error('The rest of it was not found.')
      },
    })
    const viewer = as(await makeUser({ role: 'viewer' }))
    await expectRefusal(read.execute(viewer, { id: deleted.id }), 'not_found')
    await expect(read.execute(viewer, { id: agency.id })).rejects.toThrow('The rest of it was not found.')
  })

  it('holds for queries, whose input is the query of the address', async () => {
    const list = query({
      name: 'listThings',
      summary: '',
      permission: 'directory.manage',
      resource: onThing,
      input: z.strictObject({ limit: z.coerce.number().optional() }),
      run: async (_tx, { input }) => input,
    })
    const viewer = as(await makeUser({ role: 'viewer' }))
    const administrator = as(await makeUser({ role: 'administrator' }))
    await expectRefusal(list.execute(viewer, { thing: 'hidden' }), 'not_found')
    await expectRefusal(list.execute(viewer, { thing: 'shown' }, { size: '1' }), 'forbidden')
    await expectRefusal(list.execute(administrator, { thing: 'shown' }, { size: '1' }), 'invalid_query', ['size'])
    expect(await list.execute(administrator, { thing: 'shown' }, { limit: '5' })).toEqual({ limit: 5 })
  })

  it('refuses a body where none is taken', async () => {
    const touch = command({ name: 'touch', summary: '', permission: 'directory.read', run: async () => 'touched' })
    const viewer = as(await makeUser({ role: 'viewer' }))
    expect(await touch.execute(viewer, {}, {})).toBe('touched')
    await expectRefusal(touch.execute(viewer, {}, { force: true }), 'validation_failed', ['force'])
  })
})

describe('a command', () => {
  const administrator = async () => as(await makeUser({ role: 'administrator' }))

  it('changes rows, records its event and enqueues its jobs together, or not at all', async () => {
    const agency = await makeAgency({ name: 'As it was' })
    const change = (name: string, outcome: 'ends' | 'refuses' | 'breaks') =>
      command({
        name: 'change',
        summary: '',
        permission: 'directory.manage',
        async run(tx) {
          await tx.db.update(agencies).set({ name }).where(eq(agencies.id, agency.id))
          await tx.record({ type: 'agency.updated', subjectId: agency.id })
          await tx.enqueue('sweep', { marker: name })
          if (outcome === 'refuses') throw invalidState('No.', 'a', ['b'])
          if (outcome === 'breaks') throw new Error('a fault of ours')
        },
      })
    await expectRefusal(change('refused', 'refuses').execute(await administrator(), {}), 'invalid_state')
    await expect(change('broken', 'breaks').execute(await administrator(), {})).rejects.toThrow('a fault of ours')
    expect(await agencyName(agency.id)).toBe('As it was')
    expect(await eventsAbout(agency.id)).toEqual([])
    expect([...(await jobsFor('refused')), ...(await jobsFor('broken'))]).toEqual([])
    await change('ended', 'ends').execute(await administrator(), {})
    expect(await agencyName(agency.id)).toBe('ended')
    expect(await eventsAbout(agency.id)).toHaveLength(1)
    expect(await jobsFor('ended')).toHaveLength(1)
  })

  it('undoes nothing of its own when what follows from the event fails: all of it is gone', async () => {
    const agency = await makeAgency({ name: 'Kept' })
    const change = command({
      name: 'change',
      summary: '',
      permission: 'directory.manage',
      async run(tx) {
        await tx.db.update(agencies).set({ name: 'Lost' }).where(eq(agencies.id, agency.id))
        await tx.record({ type: 'agency.updated', subjectId: agency.id })
      },
    })
    const context = { ...(await administrator()), react: () => Promise.reject(new Error('the notification failed')) }
    await expect(change.execute(context, {})).rejects.toThrow('the notification failed')
    expect(await agencyName(agency.id)).toBe('Kept')
    expect(await eventsAbout(agency.id)).toEqual([])
  })

  it('is run again after a deadlock', async () => {
    let runs = 0
    const [a, b] = [await makeAgency(), await makeAgency()]
    const lockBoth = (first: string, second: string, arrived: Promise<unknown>, arrive: () => void) =>
      command({
        name: 'lockBoth',
        summary: '',
        permission: 'directory.manage',
        async run(tx) {
          runs++
          await tx.db.update(agencies).set({ updatedAt: tx.now }).where(eq(agencies.id, first))
          arrive()
          await arrived
          await tx.db.update(agencies).set({ updatedAt: tx.now }).where(eq(agencies.id, second))
          return 'both'
        },
      })
    const [one, two] = [latch(), latch()]
    const context = await administrator()
    const both = await Promise.all([
      lockBoth(a.id, b.id, two.opened, one.open).execute(context, {}),
      lockBoth(b.id, a.id, one.opened, two.open).execute(context, {}),
    ])
    expect(both).toEqual(['both', 'both'])
    // The victim once more at least; on a busy machine they may meet again.
    expect(runs).toBeGreaterThan(2)
  })

  it('prepares nothing for an actor who may not, or from what is not well-formed', async () => {
    let prepared = 0
    const store = command({
      name: 'keep',
      summary: '',
      permission: 'directory.manage',
      input: z.strictObject({ name: z.string() }),
      prepare: async () => ++prepared,
      run: async () => 'kept',
    })
    await expectRefusal(store.execute(as(await makeUser({ role: 'viewer' })), {}, { name: 'x' }), 'forbidden')
    await expectRefusal(store.execute(await administrator(), {}, {}), 'validation_failed')
    expect(prepared).toBe(0)
    await store.execute(await administrator(), {}, { name: 'x' })
    expect(prepared).toBe(1)
  })

  it('with a precondition goes ahead only on what the caller has read', async () => {
    const agency = await makeAgency({ name: 'One' })
    const rename = command({
      name: 'rename',
      summary: '',
      permission: 'directory.manage',
      conditional: async () => ({ name: await agencyName(agency.id) }),
      async run(tx) {
        await tx.db
          .update(agencies)
          .set({ name: sql`${agencies.name} || '!'` })
          .where(eq(agencies.id, agency.id))
      },
    })
    const context = await administrator()
    const attempt = (read: string) => rename.execute({ ...context, precondition: unchangedSince({ name: read }) }, {})
    await expectRefusal(attempt('Other'), 'stale')
    await attempt('One')
    expect(await agencyName(agency.id)).toBe('One!')
    await expectRefusal(attempt('One'), 'stale')
    await rename.execute(context, {})
    expect(await agencyName(agency.id)).toBe('One!!')
  })
})

describe('a query', () => {
  it('can neither record nor enqueue', async () => {
    const context = as(await makeUser())
    const broken = query({
      name: 'broken',
      summary: '',
      permission: 'directory.read',
      run: (tx) => tx.record({ type: 'agency.updated' }),
    })
    await expect(broken.execute(context, {})).rejects.toThrow('cannot record')
  })
})

describe('an event', () => {
  it('holds who did it, from where, under which request, and is heard after the commit only', async () => {
    const heard: string[] = []
    const { unlisten } = await testSql.listen('greenroom_events', (text) => heard.push(text))
    const user = await makeUser({ role: 'administrator' })
    const agency = await makeAgency()
    const note = (fail: boolean) =>
      command({
        name: 'note',
        summary: '',
        permission: 'directory.manage',
        async run(tx) {
          await tx.record({ type: 'agency.updated', subjectId: agency.id, data: { attempt: fail ? 'failed' : 'kept' } })
          if (fail) throw invalidState('No.', 'a', ['b'])
        },
      })
    const context = as(user, { requestId: 'req-7', address: '203.0.113.9' })
    await expectRefusal(note(true).execute(context, {}), 'invalid_state')
    await note(false).execute(context, {})
    expect(await eventsAbout(agency.id)).toMatchObject([
      {
        actorType: 'user',
        actorId: user.id,
        actorName: user.name,
        address: '203.0.113.9',
        requestId: 'req-7',
        data: { attempt: 'kept' },
      },
    ])
    // Notifications arrive in order, so once our own is here, an earlier one would be, too.
    await testSql.notify('greenroom_events', 'the end')
    await expect.poll(() => heard.at(-1)).toBe('the end')
    expect(heard.filter((text) => text.includes('agency.updated'))).toHaveLength(1)
    await unlisten()
  })
})
