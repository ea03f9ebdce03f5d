import { describe, expect, test } from 'vitest'
import { database } from '@/db/client'
import { recordStatements, testSql } from '@/db/testing'
import { makeAgency, makeBatch, makeFile, makeMediaCategory, makeProject, makeUser } from '@/fixtures/factories'
import { BOARD_STATUSES } from '@/lib/vocabulary'
import { as, expectRefusal } from '../testing'
import { browseBatches, browseBoard } from './browse'
import { progressOf } from './covers'

async function scene() {
  const coordinator = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const project = await makeProject({ name: 'Spring', agencyId: agency.id, members: [coordinator] })
  const other = await makeProject({ name: 'Autumn', members: [coordinator] })
  const browse = (input: object = {}) => browseBatches.execute(as(coordinator), {}, input)
  const names = async (input: object = {}) => (await browse(input)).batches.map(({ name }) => name)
  return { coordinator, agency, project, other, browse, names }
}

/** How the database would run these statements if it could neither read a table in order nor sort: of a small table anything is as cheap. */
const plansOf = (statements: ReturnType<typeof recordStatements>) =>
  testSql.begin(async (tx) => {
    await tx.unsafe('set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off')
    const plans: string[] = []
    for (const { text, parameters } of statements) {
      const lines = await tx.unsafe(`explain ${text}`, parameters as never[])
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'))
    }
    return plans
  })

describe('batches of all projects', () => {
  test('are those of projects one sees and that go on, newest first, with their project', async () => {
    const { project, other, browse, names, coordinator } = await scene()
    await makeBatch({ projectId: project.id, name: 'One' })
    await makeBatch({ projectId: other.id, name: 'Two' })
    await makeBatch({ name: 'Not theirs' })
    const closed = await makeProject({ status: 'completed', members: [coordinator] })
    await makeBatch({ projectId: closed.id, name: 'Over' })
    expect(await names()).toEqual(['Two', 'One'])
    expect((await browse()).batches[1]).toMatchObject({ project: { name: 'Spring' }, covers: [] })
    expect(await names({ project_id: closed.id })).toEqual(['Over'])
  })

  test('by status, agency, category, name, day and person; what is gone leaves none', async () => {
    const { coordinator, agency, project, other, names } = await scene()
    const category = await makeMediaCategory()
    await makeBatch({ projectId: project.id, name: 'Banners 100%', status: 'in_review', operatorId: coordinator.id })
    await makeBatch({ projectId: other.id, name: 'Videos', dueOn: '2026-12-24', mediaCategoryId: category.id })
    expect(await names({ status: 'in_review' })).toEqual(['Banners 100%'])
    expect(await names({ agency_id: agency.id })).toEqual(['Banners 100%'])
    expect(await names({ media_category_id: category.id })).toEqual(['Videos'])
    expect(await names({ media_category_id: project.id })).toEqual([])
    expect(await names({ q: '100%' })).toEqual(['Banners 100%'])
    expect(await names({ q: 'autumn' })).toEqual(['Videos'])
    expect(await names({ due_from: '2026-12-01', due_to: '2026-12-31' })).toEqual(['Videos'])
    expect(await names({ due_from: '2026-12-25' })).toEqual([])
    expect(await names({ mine: 'true' })).toEqual(['Banners 100%'])
  })

  test('counts each status by the other filters, and comes in pages', async () => {
    const { project, browse } = await scene()
    for (const status of ['open', 'open', 'approved'] as const) await makeBatch({ projectId: project.id, status })
    const first = await browse({ status: 'open', limit: 1 })
    expect(first.counts).toEqual({ open: 2, in_review: 0, awaiting_resupply: 0, approved: 1, cancelled: 0 })
    const second = await browse({ status: 'open', limit: 1, cursor: first.next_cursor })
    expect(second.batches).toHaveLength(1)
    expect(second.next_cursor).toBeNull()
    expect(second.batches[0]?.id).not.toBe(first.batches[0]?.id)
  })

  test('of the board: the newest of each status but cancelled, as the lists have them, and how many there are', async () => {
    const { coordinator, project, other, browse } = await scene()
    for (const status of ['open', 'in_review', 'open', 'cancelled', 'open'] as const)
      await makeBatch({ projectId: status === 'open' ? project.id : other.id, status, dueOn: '2026-12-24' })
    await makeBatch({ status: 'open' })
    const board = (input: object) => browseBoard.execute(as(coordinator), {}, { limit: 2, ...input })
    const { columns, counts } = await board({})
    expect(counts).toEqual({ open: 3, in_review: 1, awaiting_resupply: 0, approved: 0 })
    expect(columns.map(({ status }) => status)).toEqual(['open', 'in_review', 'awaiting_resupply', 'approved'])
    for (const { status, batches } of columns) expect(batches).toEqual((await browse({ status, limit: 2 })).batches)
    expect((await board({ agency_id: other.agencyId })).columns.map(({ batches }) => batches.length)).toEqual([
      0, 1, 0, 0,
    ])
  })

  test('go by indexes alone, the newest first, each looked up in one list of projects', async () => {
    const { coordinator, project, browse } = await scene()
    for (const status of ['open', 'in_review', 'approved'] as const) await makeBatch({ projectId: project.id, status })
    const statements = recordStatements(database().sql)
    await browseBoard.execute(as(coordinator), {}, { limit: 5 })
    await browse({ limit: 1 })
    const plans = await plansOf(statements.filter(({ text }) => /coalesce.*order by/s.test(text)))
    const indexes = plans.map((plan) =>
      [...plan.matchAll(/Index Only Scan Backward using (batches_\w+)/g)].map(([, name]) => name),
    )
    const counted = ['batches_status_newest_index']
    expect(indexes).toEqual([BOARD_STATUSES.flatMap(() => counted), counted, ['batches_id_index'], counted])
    for (const plan of plans) expect(plan).toContain('hashed SubPlan')
  })

  test('have in projects what is due next, from an index alone', async () => {
    const { coordinator, project } = await scene()
    await makeBatch({ projectId: project.id, dueOn: '2026-12-24' })
    const statements = recordStatements(database().sql)
    await progressOf.execute(as(coordinator), {}, { project_ids: project.id })
    const [plan] = await plansOf(statements.filter(({ text }) => text.includes('due_on,')))
    expect(plan).toMatch(/Index Only Scan.* using batches_unfinished_index/)
  })

  test('show at most four images of current files, the newest first', async () => {
    const { project, browse } = await scene()
    const batch = await makeBatch({ projectId: project.id })
    const drawn = { thumbnail: true, preview: true }
    const made = []
    for (let number = 0; number < 6; number++) made.push(await makeFile(batch, { previews: drawn }))
    await makeFile(batch, { previews: null })
    await makeFile(batch, { previews: drawn, isCurrent: false })
    const [shown] = (await browse()).batches
    expect(shown?.covers.map((url) => url.match(/files\/(.+)\/thumbnail$/)?.[1])).toEqual(
      made
        .reverse()
        .slice(0, 4)
        .map(({ id }) => id),
    )
  })

  test('refuse a day that is none', async () => {
    const { browse } = await scene()
    await expectRefusal(browse({ due_from: '2026-02-30' }), 'invalid_query')
  })

  test('are counted up to 1,000 of each status', async () => {
    const { project, browse } = await scene()
    const batch = await makeBatch({ projectId: project.id, status: 'approved' })
    await makeBatch({ projectId: project.id })
    const more = (count: number) => testSql`insert into batches (id, project_id, name, status, media_category_id)
      select uuidv7(), ${project.id}, 'More', 'approved', ${batch.mediaCategoryId} from generate_series(1, ${count}::int)`
    await more(998)
    expect((await browse({ limit: 1 })).counts).toMatchObject({ open: 1, approved: 999 })
    await more(2)
    expect((await browse({ limit: 1 })).counts).toMatchObject({ open: 1, approved: 1000 })
  })
})

test('the progress of projects: their files by decision, the next day due, images', async () => {
  const { coordinator, project, other } = await scene()
  const late = await makeBatch({ projectId: project.id, dueOn: '2026-01-05', status: 'in_review' })
  await makeBatch({ projectId: project.id, dueOn: '2026-01-01', status: 'approved' })
  await makeFile(late, { decision: 'approved', previews: { thumbnail: true, preview: true } })
  await makeFile(late, { decision: 'rejected' })
  await makeFile(late)
  const progress = await progressOf.execute(as(coordinator), {}, { project_ids: [project.id, other.id].join() })
  expect(progress.projects).toEqual([
    {
      id: project.id,
      batches: 2,
      open_batches: 1,
      files: 3,
      approved: 1,
      rejected: 1,
      pending: 1,
      due: { on: '2026-01-05', state: expect.any(String) },
      covers: [expect.stringContaining('/thumbnail')],
    },
    expect.objectContaining({ id: other.id, batches: 0, files: 0, due: null, covers: [] }),
  ])
  const stranger = await makeUser({ role: 'coordinator' })
  expect(await progressOf.execute(as(stranger), {}, { project_ids: project.id })).toEqual({ projects: [] })
})
