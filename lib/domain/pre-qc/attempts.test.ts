import { describe, expect, it } from 'vitest'
import { database } from '@/db/client'
import { preQcProfiles } from '@/db/schema/directory'
import { makeBatch, makeFile, makeMediaCategory, makeProject, makeResult, makeUser } from '@/fixtures/factories'
import type { CheckStatus } from '@/lib/vocabulary'
import { as, expectRefusal } from '../testing'
import { compareAttempts, listAttempts } from './attempts'
import { rerunResult } from './commands'

const line = (check_id: string, status: CheckStatus, details = 'Measured.') => ({
  check_id,
  label: `Label of ${check_id}`,
  status,
  severity: 'advisory' as const,
  confidence: 1,
  details,
})

/** A file that was checked twice, by version 1 and version 2 of the profile of its media category. */
async function scene() {
  const operator = await makeUser({ role: 'operator' })
  const project = await makeProject({ members: [operator] })
  const category = await makeMediaCategory({ preQc: { enabled: true, checks: {} } })
  const batch = await makeBatch({ projectId: project.id, mediaCategoryId: category.id })
  const file = await makeFile(batch)
  const profile = async (version: number) => {
    const values = { mediaCategoryId: category.id, version: 100 + version, settings: { enabled: true, checks: {} } }
    const [row] = await database().db.insert(preQcProfiles).values(values).returning()
    if (!row) throw new Error('The profile was not stored.')
    return row.id
  }
  const [then, now] = [await profile(1), await profile(2)]
  const first = await makeResult(file, {
    attempt: 1,
    isCurrent: false,
    profileId: then,
    summary: 'fail',
    engineVersion: '1.0.0',
    checks: [line('same_check', 'pass'), line('turned_check', 'fail'), line('gone_check', 'warning')],
  })
  const second = await makeResult(file, {
    attempt: 2,
    profileId: now,
    engineVersion: '2.0.0',
    checks: [line('same_check', 'pass'), line('turned_check', 'pass', 'Measured less.'), line('new_check', 'pass')],
  })
  const path = { project_id: project.id, batch_id: batch.id, file_id: file.id }
  const list = (input: object = {}, who = operator) => listAttempts.execute(as(who), path, input)
  const compare = (one: string, other: string, who = operator) =>
    compareAttempts.execute(as(who), { result_id: one }, { with: other })
  return { operator, batch, file, first, second, then, now, list, compare }
}

describe('the attempts at a file', () => {
  it('stay, each with its version of the profile, the newest first', async () => {
    const { list, first, second, then, now } = await scene()
    const { attempts, next_cursor } = await list()
    expect(next_cursor).toBeNull()
    expect(attempts).toMatchObject([
      {
        result_id: second.id,
        attempt: 2,
        is_current: true,
        summary: 'pass',
        findings: 0,
        profile: { id: now, version: 102 },
        engine_version: '2.0.0',
      },
      {
        result_id: first.id,
        attempt: 1,
        is_current: false,
        summary: 'fail',
        findings: 2,
        profile: { id: then, version: 101 },
        engine_version: '1.0.0',
      },
    ])
  })

  it('come page by page, and only to those who see the project', async () => {
    const { list } = await scene()
    const page = await list({ limit: 1 })
    const rest = await list({ limit: 1, cursor: page.next_cursor })
    expect([page, rest].map(({ attempts }) => attempts.map(({ attempt }) => attempt))).toEqual([[2], [1]])
    await expectRefusal(list({}, await makeUser()), 'not_found')
  })

  it('can be compared, in either order: what turned, what ran only once, how much is the same', async () => {
    const { compare, first, second } = await scene()
    const compared = await compare(first.id, second.id)
    expect([compared.before.attempt, compared.after.attempt, compared.same]).toEqual([1, 2, 1])
    expect(compared.checks).toEqual([
      {
        check_id: 'turned_check',
        label: 'Label of turned_check',
        before: { status: 'fail', details: 'Measured.' },
        after: { status: 'pass', details: 'Measured less.' },
      },
      {
        check_id: 'new_check',
        label: 'Label of new_check',
        before: null,
        after: { status: 'pass', details: 'Measured.' },
      },
      {
        check_id: 'gone_check',
        label: 'Label of gone_check',
        before: { status: 'warning', details: 'Measured.' },
        after: null,
      },
    ])
    expect(await compare(second.id, first.id)).toEqual(compared)
    expect((await compare(first.id, first.id)).checks).toEqual([])
  })

  it('are compared with those of the same file alone, by those who see it', async () => {
    const { compare, first, second, batch } = await scene()
    const other = await makeResult(await makeFile(batch))
    await expectRefusal(compare(first.id, other.id), 'not_found')
    await expectRefusal(compare(first.id, 'x'), 'invalid_query', ['with'])
    await expectRefusal(compare(first.id, second.id, await makeUser()), 'not_found')
  })
})

describe('checking a file again', () => {
  it('uses the profile of then, where an attempt is named', async () => {
    const { operator, first, second, then } = await scene()
    const again = await rerunResult.execute(as(operator), { result_id: second.id }, { profile_of: first.id })
    expect(again).toMatchObject({ attempt: 3, status: 'queued', profile: { id: then, version: 101 } })
  })

  it('uses the profile of now, where none is', async () => {
    const { operator, second, then, now } = await scene()
    const again = await rerunResult.execute(as(operator), { result_id: second.id })
    expect(again.attempt).toBe(3)
    expect([then, now]).not.toContain(again.profile.id)
  })

  it('takes no attempt of another file', async () => {
    const { operator, second, batch } = await scene()
    const other = await makeResult(await makeFile(batch))
    const again = rerunResult.execute(as(operator), { result_id: second.id }, { profile_of: other.id })
    await expectRefusal(again, 'validation_failed', ['profile_of'])
  })
})
