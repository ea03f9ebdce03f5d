import { hash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { auditSeals } from '@/db/schema/audit'
import { events } from '@/db/schema/events'
import { emptyTables, testDb, testSql } from '@/db/testing'
import { makeProject, makeUser } from '@/fixtures/factories'
import { createAgency, updateAgency } from '../directory/commands'
import { as, expectRefusal } from '../testing'
import { type Head, sealEvents, verifyChain } from './chain'
import { listAuditEvents } from './queries'

beforeEach(emptyTables)

const system = () => as('system')
const verify = (known: Head | null = null, from: Head | null = null) => verifyChain(testDb, new Date(), { known, from })

async function happened(count: number, from = 0) {
  const admin = await makeUser({ role: 'administrator' })
  const names = Array.from({ length: count }, (_, index) => from + index)
  for (const n of names) await createAgency.execute(as(admin), {}, { name: `Agency ${n} “ü”`, code: `A${n}` })
  return { admin, all: await testDb.select().from(events).orderBy(events.sequence) }
}

/** What an attacker with the keys to the database can do: go past the triggers. */
const pastTheTriggers = (statement: string) =>
  testSql.unsafe(`set session_replication_role = replica; ${statement}; set session_replication_role = origin`)

describe('the audit trail', () => {
  it.each(['events', 'audit_seals'])('%s cannot be changed, removed or emptied', async (table) => {
    await happened(2)
    await sealEvents(system())
    for (const statement of [
      table === 'events' ? `update events set actor_name = 'Another'` : `update audit_seals set hash = 'x'`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ])
      await expect(testSql.unsafe(statement)).rejects.toThrow('append-only')
    expect((await verify()).fault).toBeNull()
  })

  it('is sealed in one chain, each event once, with several sealing at the same time', async () => {
    await happened(7)
    await Promise.all([sealEvents(system()), sealEvents(system()), sealEvents(system())])
    await happened(3, 7)
    await sealEvents(system())
    const seals = await testDb.select().from(auditSeals).orderBy(auditSeals.position)
    expect(seals.map(({ position }) => position)).toEqual(seals.map((_, index) => index + 1))
    expect(new Set(seals.map(({ eventId }) => eventId)).size).toBe(await testDb.$count(events))
    expect(await verify()).toMatchObject({ sealed: seals.length, unsealed: 0, fault: null })
    expect(await sealEvents(system())).toBeNull()
  })

  it('hashes each event as JSON.stringify writes its fields, whatever letters they hold', async () => {
    const odd = [
      '"quoted" \\ back',
      'line\nfeed\ttab\r\u0001\u001f\u007f',
      'ü 漢 🙂 \u2028',
      '',
      'null',
      '{a,"b"}',
      '</script>',
    ]
    for (const [index, name] of odd.entries())
      await testSql`insert into events (id, type, actor_type, actor_name, address, data, created_at)
        values (gen_random_uuid(), 'agency.created', 'system', ${name}, ${index % 2 ? name : null}, ${JSON.stringify({ [name]: name })}, now())`
    await sealEvents(system())
    const rows = await testSql<Record<string, string | null>[]>`
      select e.id::text, sequence::text, type, project_id::text, batch_id::text, subject_id::text, actor_type, actor_id::text, actor_name,
        address, request_id, data::text, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, hash
      from events e join audit_seals s on s.event_id = e.id order by position`
    let previous = '0'.repeat(64)
    for (const { hash: sealed, ...fields } of rows) {
      previous = hash('sha256', `${previous}\n${JSON.stringify(Object.values(fields))}`)
      expect(sealed).toBe(previous)
    }
    expect(rows).toHaveLength(odd.length)
  })

  it('is verified in parts, several of them read ahead, and names what is wrong in any', async () => {
    await testSql`insert into events (id, type, actor_type, actor_name, created_at)
      select gen_random_uuid(), 'agency.created', 'system', 'Number ' || n, now() from generate_series(1, 17001) n`
    await sealEvents(system())
    const parts: number[] = []
    const onPart = ({ position }: Head) => void parts.push(position)
    const whole = await verifyChain(testDb, new Date(), { onPart })
    expect(whole).toMatchObject({ sealed: 17_001, unsealed: 0, fault: null })
    expect(parts).toEqual([5_000, 10_000, 15_000])
    expect(await verify(null, whole.head)).toMatchObject({ sealed: 17_001, fault: null })
    await pastTheTriggers(`delete from audit_seals where position = 12345`)
    expect((await verify()).fault).toMatchObject({ position: 12_346, reason: expect.stringContaining('seal 12345') })
    await pastTheTriggers(`update events set actor_name = 'x' where actor_name = 'Number 7000'`)
    expect((await verify()).fault).toMatchObject({ position: 7_000 })
  })

  it('is verified from where it was verified before, and only from a place it holds', async () => {
    await happened(4)
    await sealEvents(system())
    const { head } = await verify()
    const { all } = await happened(3, 4)
    await sealEvents(system())
    const position = head?.position ?? 0
    expect(await verify(null, head)).toMatchObject({ sealed: position + 3, unsealed: 0, fault: null })
    const cut = { position, hash: 'f'.repeat(64) }
    expect((await verify(null, cut)).fault).toMatchObject({ position, reason: expect.stringContaining('ffff') })
    expect((await verify(cut, head)).fault?.reason).toContain('cut off or written anew')
    // What lies before is not read again; what lies after is.
    await pastTheTriggers(`update events set actor_name = 'x' where id = '${all[0]?.id}'`)
    expect((await verify(null, head)).fault).toBeNull()
    expect((await verify()).fault?.position).toBe(1)
    await pastTheTriggers(`update events set actor_name = 'x' where id = '${all.at(-1)?.id}'`)
    expect((await verify(null, head)).fault?.position).toBe(position + 3)
  })

  it('takes in an event that became visible after later ones', async () => {
    const { all } = await happened(3)
    const [first] = all
    await sealEvents(system())
    await pastTheTriggers(`delete from audit_seals; update events set sequence = sequence + 10`)
    await sealEvents(system())
    await testSql`insert into events (id, sequence, type, actor_type, actor_name, created_at)
      values (gen_random_uuid(), ${first?.sequence ?? 0}, 'agency.created', 'system', 'Late', now())`
    await sealEvents(system())
    expect(await verify()).toMatchObject({ sealed: 4, fault: null })
  })

  it.each<[string, (id: string) => string, RegExp]>([
    ['actor', (id) => `update events set actor_name = 'Someone else' where id = '${id}'`, /not what it was/],
    ['address', (id) => `update events set address = '203.0.113.9' where id = '${id}'`, /not what it was/],
    ['content', (id) => `update events set data = '{"name":"Other"}' where id = '${id}'`, /not what it was/],
    [
      'time',
      (id) => `update events set created_at = created_at - interval '1 ms' where id = '${id}'`,
      /not what it was/,
    ],
    ['event', (id) => `delete from events where id = '${id}'`, /was removed/],
    ['hash', (id) => `update audit_seals set hash = repeat('0', 64) where event_id = '${id}'`, /not what it was/],
    ['seal', (id) => `delete from audit_seals where event_id = '${id}'`, /seal 3 before it was removed/],
  ])('names the first row whose %s was altered', async (_, statement, reason) => {
    const { all } = await happened(6)
    await sealEvents(system())
    const [, , third, fourth, fifth] = all
    await pastTheTriggers(`${statement(third?.id ?? '')}; update events set actor_name = 'x' where id = '${fifth?.id}'`)
    const { fault } = await verify()
    expect(fault?.reason).toMatch(reason)
    const named = /seal 3 before/.test(fault?.reason ?? '') ? fourth : third
    expect(fault?.event_id).toBe(named?.id)
    expect(fault?.position).toBe(named === third ? 3 : 4)
  })

  it('shows that its end was cut off, when the end was stored elsewhere', async () => {
    const { all } = await happened(5)
    const head = await sealEvents(system())
    expect((await verify(head)).fault).toBeNull()
    const last = all.at(-1)?.id
    await pastTheTriggers(`delete from audit_seals where position = 5; delete from events where id = '${last}'`)
    expect((await verify()).fault).toBeNull()
    expect((await verify(head)).fault?.reason).toContain('cut off')
    await testSql`insert into events (id, type, actor_type, actor_name, created_at)
      values (gen_random_uuid(), 'agency.created', 'system', 'In its place', now())`
    await sealEvents(system())
    expect((await verify()).fault).toBeNull()
    expect((await verify(head)).fault?.reason).toContain('written anew')
  })
})

describe('reading it', () => {
  it('is for administrators, filtered and in pages, with before and after', async () => {
    const { admin } = await happened(3)
    const list = (input: object) => listAuditEvents.execute(as(admin), {}, input)
    const [newest] = (await list({})).events
    await updateAgency.execute(
      as(admin, { address: '203.0.113.7' }),
      { agency_id: newest?.subject_id ?? '' },
      { name: 'New' },
    )
    const { events: updates } = await list({ type: 'agency.updated' })
    expect(updates).toMatchObject([
      {
        actor: { type: 'user', id: admin.id, name: admin.name },
        address: '203.0.113.7',
        data: { before: { name: 'Agency 2 “ü”' }, after: { name: 'New' } },
        seal: null,
      },
    ])
    const first = await list({ limit: 3 })
    const second = await list({ limit: 3, cursor: first.next_cursor })
    expect([...first.events, ...second.events]).toHaveLength(4)
    expect(second.next_cursor).toBeNull()
    expect((await list({ actor_id: (await makeUser()).id })).events).toEqual([])
    expect((await list({ project_id: (await makeProject()).id })).events).toEqual([])
    const today = new Date().toISOString().slice(0, 10)
    expect((await list({ from: today, to: today })).events).toHaveLength(4)
    expect((await list({ to: '2020-01-01' })).events).toEqual([])
    await expectRefusal(listAuditEvents.execute(as(await makeUser({ role: 'coordinator' })), {}), 'forbidden')
    await expectRefusal(list({ type: 'no.such', from: 'yesterday' }), 'invalid_query', ['type', 'from'])
  })
})
