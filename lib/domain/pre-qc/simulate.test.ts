import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcMeasurements, preQcWaivers } from '@/db/schema/pre-qc'
import { makeBatch, makeFile, makeMediaCategory, makeResult, makeUser } from '@/fixtures/factories'
import { imageFacts, subject } from '@/lib/checks/testing'
import { as, expectRefusal } from '../testing'
import { simulateChecks } from './simulate'

const minimum = (min_width: number, more: object = {}) => ({
  dimension_check: { severity: 'fail' as const, thresholds: { min_width }, ...more },
})

/** A category that wants 100 pixels, and images of 200, 300 and 400 in it, checked in this order. */
async function scene() {
  const administrator = await makeUser({ role: 'administrator' })
  const category = await makeMediaCategory({ preQc: { enabled: true, checks: minimum(100) } })
  const batch = await makeBatch({ mediaCategoryId: category.id })
  const results: Record<number, string> = {}
  for (const width of [200, 300, 400]) {
    const file = await makeFile(batch, { name: `${width}.png` })
    const result = await makeResult(file)
    const measured = subject(imageFacts({ width, height: 250 }))
    await database().db.insert(preQcMeasurements).values({ resultId: result.id, subject: measured })
    results[width] = result.id
  }
  const simulate = (input: object, who = administrator) =>
    simulateChecks.execute(as(who), { media_category_id: category.id }, input)
  return { administrator, batch, results, simulate }
}

describe('trying settings on files that were checked', () => {
  it('says which files would change their verdict, and by which check', async () => {
    const { simulate } = await scene()
    const tried = await simulate({ checks: minimum(350) })
    expect(tried).toMatchObject({ files: 3, unmeasured: 0 })
    expect(tried.changes.map(({ file, before, after }) => [file.name, before, after])).toEqual([
      ['300.png', 'pass', 'fail'],
      ['200.png', 'pass', 'fail'],
    ])
    expect(tried.changes[0]?.checks).toEqual([
      { check_id: 'dimension_check', label: 'Dimensions', before: 'pass', after: 'fail' },
    ])
    expect([tried.before.fail, tried.after.fail]).toEqual([0, 2])
    expect(tried.after.pass).toBe(tried.before.pass - 2)
  })

  it('changes nothing when nothing changes', async () => {
    const { simulate } = await scene()
    expect((await simulate({ checks: minimum(100) })).changes).toEqual([])
  })

  it('uses the newest files only, as many as asked for', async () => {
    const { simulate } = await scene()
    const tried = await simulate({ checks: minimum(350), last: 2 })
    expect(tried.files).toBe(2)
    expect(tried.changes.map(({ file }) => file.name)).toEqual(['300.png'])
  })

  it('holds waivers on both sides', async () => {
    const { administrator, results, simulate } = await scene()
    const waiver = {
      resultId: results[200] ?? '',
      checkId: 'dimension_check',
      reason: 'x',
      createdBy: administrator.id,
    }
    await database().db.insert(preQcWaivers).values(waiver)
    expect((await simulate({ checks: minimum(350) })).changes.map(({ file }) => file.name)).toEqual(['300.png'])
  })

  it('counts what was checked before measurements were stored', async () => {
    const { batch, simulate } = await scene()
    await makeResult(await makeFile(batch))
    expect(await simulate({ checks: {} })).toMatchObject({ files: 3, unmeasured: 1 })
  })

  it('knows what an announced rule will do on its day', async () => {
    const { simulate } = await scene()
    const checks = minimum(350, { fails_from: '2027-03-01' })
    const early = await simulate({ checks, on: '2027-02-28' })
    expect(early.changes.map(({ after }) => after)).toEqual(['warning', 'warning'])
    const later = await simulate({ checks, on: '2027-03-01' })
    expect(later.changes.map(({ after }) => after)).toEqual(['fail', 'fail'])
  })

  it('is for administrators, and refuses settings that cannot be', async () => {
    const { simulate } = await scene()
    await expectRefusal(simulate({ checks: {} }, await makeUser({ role: 'coordinator' })), 'forbidden')
    await expectRefusal(simulate({ checks: { no_such_check: {} } }), 'validation_failed', ['checks.no_such_check'])
    await expectRefusal(simulate({ checks: minimum(Number.NaN) }), 'validation_failed')
    await expectRefusal(simulate({ checks: {}, last: 501 }), 'validation_failed', ['last'])
  })
})
