import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeMediaCategory, makeProject, makeUser } from '@/fixtures/factories'
import { as, eventsAbout, expectRefusal } from '../testing'
import { createBatch } from './commands'
import { checkBatchTable, createBatchesOfTable } from './from-table'
import { getManifest } from './manifest'
import { getBatch, listBatches } from './queries'

/** A project with people and a category whose names no other has. */
async function scene() {
  const tag = randomUUID().slice(0, 8)
  const coordinator = await makeUser({ role: 'coordinator', name: `Cora ${tag}` })
  const operator = await makeUser({ role: 'operator', name: `Omar ${tag}` })
  const category = await makeMediaCategory({ name: `Stills ${tag}`, namingTemplate: null })
  const project = await makeProject({ members: [coordinator], mediaCategoryId: category.id })
  return { tag, coordinator, operator, category, project, at: { project_id: project.id } }
}
type Scene = Awaited<ReturnType<typeof scene>>

const check = ({ coordinator, at }: Scene, table: string, defaults = {}) =>
  checkBatchTable.execute(as(coordinator), at, { table, defaults })
const create = ({ coordinator, at }: Scene, table: string, defaults = {}) =>
  createBatchesOfTable.execute(as(coordinator), at, { table, defaults })
const batchesIn = async ({ coordinator, at }: Scene) => (await listBatches.execute(as(coordinator), at, {})).batches

describe('batches of a table', () => {
  it('are shown before, then created with their people, days and expected files, each with its event', async () => {
    const here = await scene()
    const { operator, coordinator, category } = here
    const table = `name;category;due;operator;coordinator;expected files
Posters;${category.name.toUpperCase()};2026-12-01;${operator.email};${coordinator.name};"a.jpg\nb.jpg"
Banners;;;;;`
    const defaults = { operator_id: operator.id, due_on: '2026-12-24', required_copy: ['Drink responsibly'] }
    const shown = await check(here, table, defaults)
    const person = (user: { id: string; name: string }) => ({ id: user.id, name: user.name })
    expect(shown).toEqual({
      batches: [
        {
          line: 2,
          name: 'Posters',
          media_category: person(category),
          operator: person(operator),
          coordinator: person(coordinator),
          due_on: '2026-12-01',
          expected_files: 2,
        },
        {
          line: 3,
          name: 'Banners',
          media_category: person(category),
          operator: person(operator),
          coordinator: null,
          due_on: '2026-12-24',
          expected_files: 0,
        },
      ],
      mistakes: [],
    })
    expect(await batchesIn(here)).toEqual([])

    const { batches } = await create(here, table, defaults)
    expect(batches.map(({ name }) => name)).toEqual(['Posters', 'Banners'])
    const [posters, banners] = batches
    // The first line stands on top of the list
    expect((await batchesIn(here)).map(({ name }) => name)).toEqual(['Posters', 'Banners'])
    const at = { ...here.at, batch_id: posters?.id ?? '' }
    expect(await getBatch.execute(as(coordinator), at)).toMatchObject({
      status: 'open',
      due: { on: '2026-12-01' },
      operator: { id: operator.id },
      required_copy: ['Drink responsibly'],
    })
    expect((await getManifest.execute(as(coordinator), at)).files.map(({ name }) => name)).toEqual(['a.jpg', 'b.jpg'])
    for (const batch of [posters, banners])
      expect((await eventsAbout(batch?.id ?? '')).map(({ type }) => type)).toContain('batch.created')
  })

  it('each mistake is named by line and column with the value quoted, and nothing is created', async () => {
    const here = await scene()
    const low = await makeUser({ role: 'viewer', name: `Vera ${here.tag}` })
    const twin = `Twin ${here.tag}`
    await makeUser({ role: 'operator', name: twin })
    await makeUser({ role: 'operator', name: twin })
    const table = `Name,Category,Due on,Operator,Coordinator,Files
Right,,,,,a.jpg
,Unknown,31/12/2026,No One,${here.operator.name},a.jpg; A.JPG
Other,,,${low.name},,
Third,,2026-02-30,${twin},,`
    const { mistakes, batches } = await check(here, table)
    expect(batches.map(({ name }) => name)).toEqual(['Right', 'Other', 'Third'])
    expect(mistakes.map(({ line, column }) => [line, column])).toEqual([
      [3, 'Name'],
      [3, 'Category'],
      [3, 'Operator'],
      [3, 'Coordinator'],
      [3, 'Due on'],
      [4, 'Operator'],
      [5, 'Operator'],
      [5, 'Due on'],
    ])
    const words = mistakes.map(({ message }) => message).join('\n')
    for (const value of ['Unknown', '31/12/2026', 'No One', here.operator.name, low.name, twin, '2026-02-30'])
      expect(words).toContain(`“${value}”`)
    const refused = await expectRefusal(create(here, table), 'validation_failed')
    expect(refused.facts.errors).toHaveLength(mistakes.length)
    expect(refused.facts.errors?.[4]).toMatchObject({
      path: 'table.3.Due on',
      message: 'Line 3, Due on: “31/12/2026” is not a day. Write it as 2026-12-31.',
    })
    expect(await batchesIn(here)).toEqual([])
  })

  it('names of files must fit the naming of the category, and are there once', async () => {
    const here = await scene()
    const strict = await makeMediaCategory({ namingTemplate: '{campaign}_{width}x{height}.{ext}' })
    const table = 'name,expected files\nA,"wrong.jpg"\nB,a.jpg;a.jpg'
    const { mistakes } = await check(here, table, { media_category_id: strict.id })
    expect(mistakes[0]).toMatchObject({ line: 2, column: 'expected files' })
    expect(mistakes[0]?.message).toMatch(/^No file can arrive as “wrong.jpg”/)
    expect((await check(here, 'name,expected files\nB,a.jpg;a.jpg')).mistakes).toMatchObject([
      { line: 2, message: '“a.jpg” is there twice. Leave one of them out.' },
    ])
  })

  it('need a category from somewhere', async () => {
    const here = await scene()
    const bare = await makeProject({ members: [here.coordinator] })
    const asked = { table: 'name\nA' }
    const { mistakes } = await checkBatchTable.execute(as(here.coordinator), { project_id: bare.id }, asked)
    expect(mistakes).toMatchObject([{ line: 2, column: null }])
  })

  it('are for those who may create a batch in the project, and not in a closed one', async () => {
    const here = await scene()
    const asked = { table: 'name\nA' }
    for (const operation of [checkBatchTable, createBatchesOfTable]) {
      const stranger = await makeUser({ role: 'coordinator' })
      await expectRefusal(operation.execute(as(stranger), here.at, asked), 'not_found')
      const member = await makeUser({ role: 'operator' })
      const theirs = await makeProject({ members: [member] })
      await expectRefusal(operation.execute(as(member), { project_id: theirs.id }, asked), 'forbidden')
      const closed = await makeProject({ members: [here.coordinator], status: 'completed' })
      await expectRefusal(operation.execute(as(here.coordinator), { project_id: closed.id }, asked), 'project_closed')
      await expectRefusal(
        operation.execute(as(here.coordinator), here.at, { ...asked, defaults: { operator_id: randomUUID() } }),
        'validation_failed',
      )
      await expectRefusal(operation.execute(as(here.coordinator), here.at, { table: 7 }), 'validation_failed')
    }
  })

  it('two tables at once are both created whole', async () => {
    const here = await scene()
    const both = await Promise.all([create(here, 'name\nA\nB'), create(here, 'name\nC\nD')])
    expect(both.map(({ batches }) => batches.length)).toEqual([2, 2])
    await createBatch.execute(as(here.coordinator), here.at, { name: 'E' })
    expect((await batchesIn(here)).map(({ name }) => name).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E'])
  })
})
