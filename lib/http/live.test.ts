import { beforeEach, describe, expect, it } from 'vitest'
import { GET } from '@/app/api/live/route'
import { database } from '@/db/client'
import { emptyTables, testSql } from '@/db/testing'
import { makeBatch, makeProject, makeUser, type UserRow } from '@/fixtures/factories'
import { updateBatch } from '@/lib/domain/batches/commands'
import { giveHint } from '@/lib/domain/kernel/events'
import { inTransaction } from '@/lib/domain/kernel/operation'
import { as } from '@/lib/domain/testing'
import { currentSnapshot } from './snapshot'
import { send, sessionOf } from './testing'

beforeEach(emptyTables)

type Heard = { id: string | null; data: { type: string; project_id: string | null; batch_id: string | null } }

/** A browser's EventSource, as far as these promises need one. */
class Screen {
  private buffer = ''
  private constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    readonly lastId: { value: string | null },
  ) {}

  static async open(user: UserRow, lastEventId?: string | null, query = '') {
    const headers: Record<string, string> = lastEventId ? { 'last-event-id': lastEventId } : {}
    const response = await send(GET as never, 'GET', `/api/live${query}`, { session: await sessionOf(user), headers })
    if (!response.body) throw new Error('There is no stream.')
    const screen = new Screen(response.body.getReader(), { value: lastEventId ?? null })
    await screen.until(': listening')
    return screen
  }

  private async until(mark: string) {
    while (!this.buffer.includes(mark)) {
      const { value, done } = await this.reader.read()
      if (done) throw new Error('The stream ended.')
      this.buffer += new TextDecoder().decode(value)
    }
  }

  /** The next thing that is said; waits for it. */
  async hear(): Promise<Heard> {
    for (;;) {
      const end = this.buffer.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await this.reader.read()
        if (done) throw new Error('The stream ended.')
        this.buffer += new TextDecoder().decode(value)
        continue
      }
      const lines = this.buffer.slice(0, end).split('\n')
      this.buffer = this.buffer.slice(end + 2)
      const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      const data = field('data')
      if (!data) continue
      const id = field('id') ?? null
      if (id) this.lastId.value = id
      return { id, data: JSON.parse(data) }
    }
  }

  close = () => this.reader.cancel()
}

async function scene() {
  const ann = await makeUser({ role: 'coordinator' })
  const project = await makeProject({ members: [ann] })
  const batch = await makeBatch({ projectId: project.id })
  // This process listens from here on.
  await (await Screen.open(ann)).close()
  let renamed = 0
  const rename = () =>
    updateBatch.execute(as(ann), { project_id: project.id, batch_id: batch.id }, { name: `Name ${++renamed}` })
  return { ann, project, batch, rename }
}

describe('live updates', () => {
  it('are heard again after the line was lost: everything that happened meanwhile, and nothing of others', async () => {
    const { ann, project, batch, rename } = await scene()
    const other = await scene()
    const screen = await Screen.open(ann)
    await rename()
    const first = await screen.hear()
    expect(first.data).toEqual({ type: 'batch.updated', project_id: project.id, batch_id: batch.id })
    expect(first.id).toMatch(/^\d+$/)
    await screen.close()

    await rename()
    await other.rename()
    await rename()
    const again = await Screen.open(ann, screen.lastId.value)
    const replayed: Heard[] = []
    const lastOfAll = async () => {
      const [row] = await testSql<{ last: string }[]>`select max(sequence)::text as last from events`
      return row?.last
    }
    const end = await lastOfAll()
    while (replayed.at(-1)?.id !== end) replayed.push(await again.hear())
    expect(replayed.every(({ data }) => data.project_id === project.id)).toBe(true)
    const missed = replayed.filter(({ id }) => Number(id) > Number(first.id))
    expect(missed).toHaveLength(2)

    await rename()
    expect((await again.hear()).id).toBe(await lastOfAll())
    await again.close()
  })

  it('ask a screen that was away too long, or does not know since when, to load everything anew', async () => {
    const { ann } = await scene()
    await testSql`insert into events (id, type, actor_type, actor_name)
      select gen_random_uuid(), 'settings.updated', 'system', 'A test' from generate_series(1, 600)`
    for (const last of ['1', 'nonsense']) {
      const screen = await Screen.open(ann, last)
      expect((await screen.hear()).data.type).toBe('resumed')
      await screen.close()
    }
  })

  const snapshot = async () => `?since=${await currentSnapshot()}`

  it('begin with what happened since the page was read, and with nothing where nothing did', async () => {
    const { ann, project, batch, rename } = await scene()
    const before = await snapshot()
    const there = await Screen.open(ann)
    await rename()
    // Once a screen of this process has heard of it, no other one hears of it by the same line.
    await there.hear()
    await there.close()
    const after = await snapshot()
    const late = await Screen.open(ann, null, before)
    const missed = await late.hear()
    expect(missed.data).toEqual({ type: 'batch.updated', project_id: project.id, batch_id: batch.id })
    await late.close()

    const inTime = await Screen.open(ann, null, after)
    await rename()
    expect(Number((await inTime.hear()).id)).toBeGreaterThan(Number(missed.id))
    await inTime.close()
  })

  it('begin with what was begun before the page was read, and seen only afterwards', async () => {
    const { ann, project } = await scene()
    let read = ''
    await testSql.begin(async (tx) => {
      await tx`insert into events (id, type, project_id, actor_type, actor_name)
        values (gen_random_uuid(), 'project.updated', ${project.id}, 'system', 'A test')`
      read = await snapshot()
    })
    const screen = await Screen.open(ann, null, read)
    expect((await screen.hear()).data.type).toBe('project.updated')
    await screen.close()
  })

  it('begin with what no event tells of: an image that was drawn since the page was read, by whichever process', async () => {
    const { ann, project, batch } = await scene()
    const before = await snapshot()
    await inTransaction(as(ann), (tx) => giveHint(tx, 'file.previewed', { projectId: project.id, batchId: batch.id }))
    const late = await Screen.open(ann, null, before)
    const drawn = { type: 'file.previewed', project_id: project.id, batch_id: batch.id }
    expect(await late.hear()).toEqual({ id: null, data: drawn })
    await late.close()

    const inTime = await Screen.open(ann, null, await snapshot())
    await inTransaction(as(ann), (tx) => giveHint(tx, 'pre_qc.progress', { projectId: project.id, batchId: batch.id }))
    expect((await inTime.hear()).data.type).toBe('pre_qc.progress')
    await inTime.close()
  })

  it('ask for everything anew where the page was read before this process listened', async () => {
    const { ann, rename } = await scene()
    const before = await snapshot()
    await rename()
    ;(globalThis as { greenroomListeners?: unknown }).greenroomListeners = undefined
    const screen = await Screen.open(ann, null, before)
    expect((await screen.hear()).data.type).toBe('resumed')
    await screen.close()
    const next = await Screen.open(ann, null, await snapshot())
    await rename()
    expect((await next.hear()).data.type).toBe('batch.updated')
    await next.close()
  })

  it('ask for everything anew where more happened than is replayed', async () => {
    const { ann } = await scene()
    const before = await snapshot()
    await testSql`insert into events (id, type, actor_type, actor_name)
      select gen_random_uuid(), 'settings.updated', 'system', 'A test' from generate_series(1, 600)`
    const screen = await Screen.open(ann, null, before)
    expect((await screen.hear()).data.type).toBe('resumed')
    await screen.close()
  })

  it('refuse a snapshot that is none', async () => {
    const ann = await makeUser({ role: 'coordinator' })
    for (const since of ['1', 'yesterday', '1:2:x']) {
      const session = await sessionOf(ann)
      const response = await send(GET as never, 'GET', `/api/live?since=${since}`, { session })
      expect([since, response.status]).toEqual([since, 400])
      expect(await response.text()).toContain('since')
    }
  })

  it('go on when the server’s own line to the database was cut, and say that something may have been missed', async () => {
    const { ann, rename } = await scene()
    const screen = await Screen.open(ann)
    await rename()
    await screen.hear()
    await database().db.execute(`select 1`)
    await testSql`select pg_terminate_backend(pid) from pg_stat_activity
      where query ilike 'listen%' and datname = current_database()`
    expect((await screen.hear()).data.type).toBe('resumed')
    await rename()
    expect((await screen.hear()).data.type).toBe('batch.updated')
    await screen.close()
  })
})
