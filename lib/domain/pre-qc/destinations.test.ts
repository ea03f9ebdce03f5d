import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcMeasurements } from '@/db/schema/pre-qc'
import {
  makeBatch,
  makeDestination,
  makeFile,
  makeMediaCategory,
  makeProject,
  makeResult,
  makeUser,
} from '@/fixtures/factories'
import { imageFacts, subject } from '@/lib/checks/testing'
import { importDestination, withdrawDestination } from '../destinations/commands'
import { as, expectRefusal } from '../testing'
import { browseDestinations, getFileDestinations } from './destinations'

/** A batch with images of these widths, checked; it names destinations for 200 pixels and for 300. */
async function scene(...widths: number[]) {
  const viewer = await makeUser({ role: 'viewer' })
  const project = await makeProject({ members: [viewer] })
  const wanting = (min_width: number) =>
    makeDestination({
      specification: {
        requirements: [{ check: 'dimension_check', thresholds: { min_width }, level: 'required', clause: '7.1 Size' }],
      },
    })
  const [small, large] = [await wanting(200), await wanting(300)]
  const category = await makeMediaCategory({ destinations: [small.key, large.key] })
  const batch = await makeBatch({ projectId: project.id, mediaCategoryId: category.id })
  const files = []
  for (const width of widths) {
    const file = await makeFile(batch, { name: `${width}.png` })
    const result = await makeResult(file)
    const measured = subject(imageFacts({ width, height: 250 }), { name: file.name })
    await database().db.insert(preQcMeasurements).values({ resultId: result.id, subject: measured })
    files.push(file)
  }
  const params = { project_id: project.id, batch_id: batch.id }
  const browse = (input: object = {}, who = viewer) => browseDestinations.execute(as(who), params, input)
  return { viewer, project, batch, files, small, large, params, browse }
}

type Matrix = Awaited<ReturnType<typeof browseDestinations.execute>>
const verdicts = ({ files }: Matrix) => files.map(({ name, verdicts }) => [name, ...verdicts.map((one) => one.verdict)])

describe('the files of a batch against its destinations', () => {
  it('says which fit which, and why not, with the clause', async () => {
    const { browse, small, large } = await scene(150, 250, 300)
    const matrix = await browse()
    expect(matrix.total).toBe(3)
    expect(matrix.destinations.map(({ id }) => id)).toEqual([small.key, large.key])
    expect(verdicts(matrix)).toEqual([
      ['300.png', 'fits', 'fits'],
      ['250.png', 'fits', 'does_not_fit'],
      ['150.png', 'does_not_fit', 'does_not_fit'],
    ])
    expect(matrix.files[1]?.verdicts[1]).toMatchObject({
      destination_id: large.key,
      version: 1,
      requirements: [{ clause: '7.1 Size', outcome: 'not_met', measured: '250x250', expected: 'at least 300 px wide' }],
    })
    expect(matrix.files[0]?.verdicts[0]?.requirements).toEqual([])
  })

  it('any part of the list, by name', async () => {
    const { browse } = await scene(150, 250, 300)
    expect(verdicts(await browse({ limit: 1, offset: 1 }))).toEqual([['250.png', 'fits', 'does_not_fit']])
    const found = await browse({ q: '25' })
    expect([found.total, found.files.map(({ name }) => name)]).toEqual([1, ['250.png']])
    await expectRefusal(browse({ limit: 51 }), 'invalid_query')
  })

  it("uses the batch's own destinations where it names some, and none where it names none", async () => {
    const { viewer, batch, large } = await scene()
    const own = async (destinations: string[]) => {
      const other = await makeBatch({
        projectId: batch.projectId,
        mediaCategoryId: batch.mediaCategoryId,
        destinations,
      })
      return browseDestinations.execute(as(viewer), { project_id: batch.projectId, batch_id: other.id }, {})
    }
    expect((await own([large.key])).destinations.map(({ id }) => id)).toEqual([large.key])
    expect((await own([])).destinations).toEqual([])
  })

  it('a file that was not measured is unknown everywhere, and says what to do', async () => {
    const { batch, browse } = await scene()
    const says = async () => {
      const [file] = (await browse()).files
      return [file?.is_measured, file?.verdicts[0]?.verdict, file?.verdicts[0]?.requirements[0]?.details]
    }
    const file = await makeFile(batch)
    expect(await says()).toEqual([false, 'unknown', expect.stringMatching(/not been checked yet/)])
    const running = await makeResult(file, { status: 'running', summary: null, completedAt: null })
    expect(await says()).toEqual([false, 'unknown', expect.stringMatching(/is being checked/)])
    expect(running.status).toBe('running')
    await makeResult(await makeFile(batch))
    expect(await says()).toEqual([false, 'unknown', expect.stringMatching(/before measurements were kept/)])
  })

  it('a new version holds at once; a withdrawn one keeps its verdicts and says so', async () => {
    const { browse, small } = await scene(250)
    const admin = as(await makeUser({ role: 'administrator' }))
    const document = JSON.stringify({
      ...small.specification,
      version: 2,
      requirements: [{ check: 'dimension_check', thresholds: { min_width: 260 }, clause: '7.1' }],
    })
    await importDestination.execute(admin, {}, { document })
    await withdrawDestination.execute(admin, { destination_id: small.key }, undefined)
    const matrix = await browse()
    expect(matrix.destinations[0]).toMatchObject({ id: small.key, version: 2, withdrawn_at: expect.any(String) })
    expect(verdicts(matrix)).toEqual([['250.png', 'does_not_fit', 'does_not_fit']])
  })

  it('is for those who see the project', async () => {
    const { browse, files, params } = await scene(250)
    const stranger = await makeUser()
    await expectRefusal(browse({}, stranger), 'not_found')
    const file_id = files[0]?.id ?? ''
    await expectRefusal(getFileDestinations.execute(as(stranger), { ...params, file_id }), 'not_found')
  })
})

it('one file against all destinations that were not withdrawn, with every requirement', async () => {
  const { viewer, files, params, small } = await scene(250)
  const withdrawn = await makeDestination({ withdrawnAt: new Date() })
  const { destinations, file } = await getFileDestinations.execute(as(viewer), {
    ...params,
    file_id: files[0]?.id ?? '',
  })
  expect(destinations.length).toBeGreaterThan(50)
  expect(file.verdicts.map((one) => one.destination_id)).toEqual(destinations.map(({ id }) => id))
  expect(destinations.map(({ id }) => id)).not.toContain(withdrawn.key)
  const verdict = (id: string) => file.verdicts.find((one) => one.destination_id === id)
  expect(verdict(small.key)).toMatchObject({ verdict: 'fits', requirements: [{ outcome: 'met', clause: '7.1 Size' }] })
  expect(verdict('ebu_r128')).toMatchObject({ verdict: 'does_not_fit' })
})
