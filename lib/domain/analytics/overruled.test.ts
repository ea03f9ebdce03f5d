import { beforeEach, describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcWaivers } from '@/db/schema/pre-qc'
import { emptyTables } from '@/db/testing'
import { makeAgency, makeBatch, makeFile, makeProject, makeResult, makeUser, type UserRow } from '@/fixtures/factories'
import type { ReviewDecision } from '@/lib/vocabulary'
import { as, expectRefusal } from '../testing'
import { getOverruledChecks } from './queries'
import { OverruledChecks } from './schema'

const NOW = new Date('2026-06-30T12:00:00.000Z')
const DAY = new Date('2026-06-20T10:00:00.000Z')
const found = (id: string, status: 'fail' | 'warning' | 'pass') => ({ check_id: id, label: `Check ${id}`, status })

beforeEach(emptyTables)

async function scene() {
  const user = await makeUser({ role: 'coordinator' })
  const agency = await makeAgency()
  const batch = await makeBatch({ projectId: (await makeProject({ agencyId: agency.id, members: [user] })).id })
  const { profileId } = await makeResult(await makeFile(batch), { completedAt: DAY })
  /** A file that fails by some checks, and what was decided of it. */
  const failing = async (
    decision: ReviewDecision,
    ids: string[],
    given: { waived?: string[]; completedAt?: Date; isCurrent?: boolean } = {},
  ) => {
    const file = await makeFile(batch, { decision, isCurrent: given.isCurrent ?? true })
    const checks = [...ids.map((id) => found(id, 'fail')), found('other', 'warning')]
    const result = await makeResult(file, { summary: 'fail', checks, profileId, completedAt: given.completedAt ?? DAY })
    for (const checkId of given.waived ?? []) {
      await database()
        .db.insert(preQcWaivers)
        .values({ resultId: result.id, checkId, reason: 'As agreed', createdBy: user.id })
    }
    return file
  }
  return { user, agency, batch, profileId, failing }
}

async function asking(who: UserRow, input: object = {}) {
  const answered = OverruledChecks.parse(await getOverruledChecks.execute(as(who, { now: NOW }), {}, input))
  return answered.checks.map(({ check_id, findings, overruled }) => [check_id, findings, overruled])
}

describe('checks that reviewers overrule', () => {
  it('are those that were waived, or failed in a file that was approved', async () => {
    const { user, failing } = await scene()
    await failing('approved', ['a'])
    await failing('rejected', ['a', 'b'])
    await failing('pending', ['a', 'b'], { waived: ['b'] })
    await failing('pending', ['a'])
    expect(await asking(user)).toEqual([
      ['a', 2, 1],
      ['b', 2, 1],
    ])
  })

  it('a waived warning is none of them, and no finding counts twice', async () => {
    const { user, failing } = await scene()
    await failing('approved', ['a'], { waived: ['a', 'other'] })
    expect(await asking(user)).toEqual([['a', 1, 1]])
  })

  it('each version counts by its newest attempt', async () => {
    const { user, batch, profileId, failing } = await scene()
    const first = await failing('rejected', ['a'], { isCurrent: false })
    await makeFile(batch, { name: first.name, version: 2, supersedesId: first.id })
    expect(await asking(user)).toEqual([['a', 1, 0]])
    const second = await makeFile(batch, { decision: 'approved' })
    const checks = [found('a', 'fail')]
    await makeResult(second, { summary: 'fail', checks, profileId, completedAt: DAY, isCurrent: false })
    await makeResult(second, { checks: [found('a', 'pass')], profileId, completedAt: DAY, attempt: 2 })
    expect(await asking(user)).toEqual([['a', 1, 0]])
  })

  it('are counted by profile, in the days and for the agency that are asked for', async () => {
    const { user, agency, batch, failing } = await scene()
    await failing('approved', ['a'])
    await failing('approved', ['a'], { completedAt: new Date('2026-05-01T10:00:00.000Z') })
    const other = await makeFile(batch, { decision: 'approved' })
    await makeResult(other, { summary: 'fail', checks: [found('a', 'fail')], completedAt: DAY })
    expect(await asking(user, { agency_id: agency.id })).toEqual([
      ['a', 1, 1],
      ['a', 1, 1],
    ])
    expect(await asking(user, { agency_id: (await makeAgency()).id })).toEqual([])
    expect(await asking(user, { from: '2026-05-01', to: '2026-05-01' })).toEqual([['a', 1, 1]])
  })

  it('are shown to who may see analytics, of projects they can see', async () => {
    const { failing } = await scene()
    await failing('approved', ['a'])
    expect(await asking(await makeUser({ role: 'coordinator' }))).toEqual([])
    expect(await asking(await makeUser({ role: 'administrator' }))).toEqual([['a', 1, 1]])
    await expectRefusal(asking(await makeUser({ role: 'operator' })), 'forbidden')
  })
})
