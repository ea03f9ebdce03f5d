import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcMeasurements } from '@/db/schema/pre-qc'
import { makeBatch, makeDestination, makeFile, makeMediaCategory, makeResult, makeUser } from '@/fixtures/factories'
import { imageFacts, subject } from '@/lib/checks/testing'
import { getDestination } from '../destinations/queries'
import { as, expectRefusal } from '../testing'
import { tryDestination } from './try-destination'

/** A destination for 200 pixels, which a media category names, and checked images of these widths in a batch of it. */
async function scene(...widths: number[]) {
  const admin = await makeUser({ role: 'administrator' })
  const wanting = (min_width: number) => [
    { check: 'dimension_check', thresholds: { min_width }, level: 'required' as const, clause: '7.1 Size' },
  ]
  const destination = await makeDestination({ specification: { requirements: wanting(200) } })
  const category = await makeMediaCategory({ destinations: [destination.key] })
  const add = async (batch: { id: string; projectId: string }, width: number, decision: 'approved' | 'pending') => {
    const file = await makeFile(batch, { name: `${width}.png`, decision })
    const result = await makeResult(file)
    const measured = subject(imageFacts({ width, height: 250 }), { name: file.name })
    await database().db.insert(preQcMeasurements).values({ resultId: result.id, subject: measured })
    return file
  }
  const batch = await makeBatch({ mediaCategoryId: category.id })
  for (const width of widths) await add(batch, width, width > 250 ? 'pending' : 'approved')
  const document = (min_width: number, changes: object = {}) =>
    JSON.stringify({ ...destination.specification, version: 2, requirements: wanting(min_width), ...changes })
  const attempt = (text: string, more: object = {}, who = admin) =>
    tryDestination.execute(as(who), {}, { document: text, ...more })
  return { admin, destination, category, batch, add, document, attempt }
}

describe('trying a specification before it is imported', () => {
  it('says what it changes, which files it turns, and by which clause', async () => {
    const { attempt, document } = await scene(150, 250, 400)
    const tried = await attempt(document(300))
    expect(tried).toMatchObject({
      before_version: 1,
      files: 3,
      unmeasured: 0,
      before: { fits: 2, does_not_fit: 1, unknown: 0 },
      after: { fits: 1, does_not_fit: 2, unknown: 0 },
    })
    expect(tried.changes?.requirements).toMatchObject([
      {
        check: 'dimension_check',
        before: { thresholds: { min_width: 200 } },
        after: { thresholds: { min_width: 300 } },
      },
    ])
    expect(tried.turned).toMatchObject([
      {
        file: { name: '250.png' },
        decision: 'approved',
        before: 'fits',
        after: 'does_not_fit',
        reasons: [{ clause: '7.1 Size' }],
      },
    ])
  })

  it('stores nothing', async () => {
    const { attempt, document, destination, admin } = await scene(250)
    await attempt(document(300))
    const read = await getDestination.execute(as(admin), { destination_id: destination.key }, {})
    expect(read).toMatchObject({ version: 1, versions: [{ version: 1 }] })
  })

  it('asks only files of batches that name it, themselves or by their media category', async () => {
    const { attempt, document, destination, category, add } = await scene(210)
    const other = await makeBatch({ mediaCategoryId: category.id, destinations: [] })
    await add(other, 220, 'pending')
    const elsewhere = await makeBatch({ destinations: [destination.key] })
    await add(elsewhere, 230, 'pending')
    const { turned } = await attempt(document(300))
    expect(turned.map(({ file }) => file.name)).toEqual(['230.png', '210.png'])
    expect((await attempt(document(300), { last: 1 })).turned.map(({ file }) => file.name)).toEqual(['230.png'])
  })

  it('counts files without measurements, and evaluates none for a destination that is new', async () => {
    const { attempt, document, batch } = await scene(250)
    await makeResult(await makeFile(batch))
    expect(await attempt(document(300))).toMatchObject({ files: 1, unmeasured: 1 })
    expect(await attempt(document(300, { id: `new_${Date.now()}` }))).toMatchObject({
      before_version: null,
      changes: null,
      files: 0,
      turned: [],
    })
  })

  it('is for administrators, and names the line of a mistake', async () => {
    const { attempt, document } = await scene()
    await expectRefusal(attempt(document(300), {}, await makeUser({ role: 'coordinator' })), 'forbidden')
    await expectRefusal(attempt('{'), 'validation_failed', ['document'])
    await expectRefusal(attempt(document(300, { family: 'radio' })), 'validation_failed', ['document.family'])
    await expectRefusal(attempt(document(300, { id: 'ebu_r128' })), 'validation_failed', ['document.id'])
    await expectRefusal(attempt(document(300), { last: 501 }), 'validation_failed', ['last'])
  })
})
